import { Failure } from "../../failure.ts";
import type { Row, Value } from "../dump/values.ts";
import type { Source } from "../file/header.ts";
import { hasMasterKey, open } from "./seals.ts";
import { type Address, Stream } from "./stream.ts";
import { variable } from "./variables.ts";

type Found = { source: Source; address: Address };

/** The control database, by CONTROL_DATABASE_URL and CONTROL_DATABASE_TOKEN. */
export function controlDatabase(): Found {
  const url = required("CONTROL_DATABASE_URL");
  if (!/^(?:https?|libsql):\/\//.test(url) || !URL.canParse(url))
    throw new Failure(
      `CONTROL_DATABASE_URL ${url} is no address: give one such as https://control.db.example.com/`,
    );
  return { source: { control: true }, address: { url, token: required("CONTROL_DATABASE_TOKEN") } };
}

/**
 * A company's database, as the control database names it. It is opened by SQLD_DATABASE_TOKEN or else by its own token,
 * which MASTER_KEY opens.
 */
export async function companyDatabase(slug: string): Promise<Found> {
  const row = await companyRow(slug, "name, country, currency, timezone, database_url, database_token");
  const [name = "", country = "", currency = "", timezone = "", url = "", sealed = ""] = row.map(textOf);
  const company = { slug, name, country, currency, timezone };
  return { source: { control: false, company }, address: addressOf(slug, url, sealed) };
}

/** A company's spare database, as the control database names it. */
export async function spareDatabase(slug: string): Promise<Address> {
  const row = await companyRow(slug, "spare_database_url, spare_database_token");
  const [url = "", sealed = ""] = row.map(textOf);
  if (url === "") throw new Failure(`${slug} has no spare database in this control database`);
  return addressOf(slug, url, sealed);
}

/** Whether the company is suspended. Throws a Failure where there is none. */
export async function suspended(slug: string): Promise<boolean> {
  const [status = null] = await companyRow(slug, "status");
  return status === "suspended";
}

async function companyRow(slug: string, columns: string): Promise<Row> {
  const [row] = await reading(controlDatabase().address, (control) =>
    control.all(`SELECT ${columns} FROM companies WHERE slug = ? AND database_url IS NOT NULL`, [slug]),
  );
  if (row === undefined) throw new Failure(`There is no company ${slug}`);
  return row;
}

function addressOf(slug: string, url: string, sealed: string): Address {
  return { url, token: variable("SQLD_DATABASE_TOKEN") ?? ownToken(slug, sealed) };
}

/** Throws a Failure where the control database has a company of this slug, which must not be filled from a backup. */
export async function refuseTaken(slug: string): Promise<void> {
  const { address } = controlDatabase();
  const [found] = await reading(address, (control) =>
    control.all("SELECT status FROM companies WHERE slug = ? AND database_url IS NOT NULL", [slug]),
  );
  if (found === undefined) return;
  const [status = null] = found;
  if (status !== "suspended")
    throw new Failure(`The slug ${slug} is taken: a restore opens a new company, so give another with --as`);
  throw new Failure(
    `The slug ${slug} is taken by a suspended company, such as a restore leaves that was ended half-way; no company can be removed, so restore under another slug with --as. A backup of ${slug} itself: --into ${slug}`,
  );
}

/** Reads from one database, and ends its stream whatever comes. */
export async function reading<Result>(
  address: Address,
  read: (stream: Stream) => Promise<Result>,
): Promise<Result> {
  const stream = new Stream(address);
  try {
    return await read(stream);
  } finally {
    await stream.end();
  }
}

function ownToken(slug: string, sealed: string): string {
  if (!hasMasterKey())
    throw new Failure(
      "SQLD_DATABASE_TOKEN is missing, and MASTER_KEY too, which opens the company's own token",
    );
  return open(slug, "database_token", sealed);
}

function textOf(cell: Value): string {
  return cell === null ? "" : String(cell);
}

function required(name: "CONTROL_DATABASE_URL" | "CONTROL_DATABASE_TOKEN"): string {
  const value = variable(name);
  if (value === undefined)
    throw new Failure(`${name} is missing: this command opens the databases themselves, as the Worker does`);
  return value;
}
