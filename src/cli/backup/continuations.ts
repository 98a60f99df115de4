import { getTableName } from "drizzle-orm";
import { numberPrefixes } from "#tables/core";
import { Failure } from "../failure.ts";
import type { Stream } from "./database/stream.ts";
import type { Reader } from "./dump/values.ts";

/** A number series that goes on after a number which no document of the backup has. */
export type Continuation = { series: string; period: string; after: bigint; through: bigint };

const NUMBER = /^(.+)\/(\d\d)-(\d\d)\/(\d{1,6})$/;
const EXAMPLE = "give the last number that was issued, such as INV/26-27/00412";

/**
 * What `--continue-after` asks of a backup: one number, or several with commas between. Throws a Failure where a number
 * is of no series of the company, or lower than what the backup holds.
 */
export async function continuationsOf(reader: Reader, written: string): Promise<Continuation[]> {
  const found: Continuation[] = [];
  for (const number of written.split(",").map((one) => one.trim())) {
    const [, prefix = "", year = "", next = "", place = ""] = NUMBER.exec(number) ?? [];
    if (place === "" || (Number(year) + 1) % 100 !== Number(next))
      throw new Failure(`--continue-after ${number} is no number of a document: ${EXAMPLE}`);
    const series = await seriesOf(reader, prefix);
    if (series === undefined)
      throw new Failure(`--continue-after ${number}: no series of this company begins with ${prefix}`);
    const period = `${year}-${next}`;
    if (found.some((other) => other.series === series && other.period === period))
      throw new Failure(`--continue-after ${number}: its series is named twice`);
    const [[after = 0n] = []] = await reader.all(
      "SELECT last FROM number_series WHERE series = ? AND period = ?",
      [series, period],
    );
    const [held, through] = [BigInt(String(after)), BigInt(place)];
    if (through < held)
      throw new Failure(
        `--continue-after ${number} is lower than ${prefix}/${period}/${String(held).padStart(5, "0")}, which the backup holds`,
      );
    if (through > held) found.push({ series, period, after: held, through });
  }
  return found;
}

/** Has the series go on there, in one transaction, and notes which numbers are left out. */
export async function continueAfter(stream: Stream, continuations: readonly Continuation[]): Promise<void> {
  if (continuations.length === 0) return;
  await stream.all("BEGIN IMMEDIATE");
  for (const { series, period, after, through } of continuations) {
    await stream.all(
      `INSERT INTO number_series (series, period, last) VALUES (?, ?, ?)
      ON CONFLICT (series, period) DO UPDATE SET last = excluded.last`,
      [series, period, through],
    );
    await stream.all(
      "INSERT INTO number_gaps (series, period, after, through, noted_at) VALUES (?, ?, ?, ?, ?)",
      [series, period, after, through, BigInt(Date.now())],
    );
  }
  await stream.all("COMMIT");
}

async function seriesOf(reader: Reader, prefix: string): Promise<string | undefined> {
  const select = `SELECT series FROM ${getTableName(numberPrefixes)} WHERE prefix = ?`;
  const [[series = null] = []] = await reader.all(select, [prefix]);
  return series === null ? undefined : String(series);
}
