import { setTimeout as sleep } from "node:timers/promises";
import { align } from "./report.ts";

/** A company, and the headers of a key of it. */
export type Place = { slug: string; headers: Record<string, string> };

const ALONE = 50;
const CONNECTIONS = 16;
const CALLS = 1_000;
const ROUNDS = 5;
// An isolate forgets a key that it has known for ten seconds.
const FORGOTTEN_MS = 10_500;

/** Prints the median of a call whose database was not open, of one whose key the isolate forgot, and of the one after it. */
export async function tellFirstCalls(url: string, places: readonly Place[]): Promise<void> {
  const [last] = places.slice(-1);
  for (let call = 0; call < ALONE && last !== undefined; call += 1) await list(url, last);
  const alone = places.slice(0, ALONE);
  const [closed, forgotten, known]: number[][] = [[], [], []];
  for (const place of alone) closed?.push(await list(url, place));
  await sleep(FORGOTTEN_MS);
  for (const place of alone) {
    forgotten?.push(await list(url, place));
    known?.push(await list(url, place));
  }
  const least = percentile(known, 50);
  const rows = Object.entries({ "database not open": closed, "key not known": forgotten, known }).map(
    ([name, times]) => [name, milliseconds(times, 50), (percentile(times, 50) / least).toFixed(1)],
  );
  console.log(align([["one call", "p50", "times"], ...rows]).join("\n"));
}

/** Prints p50 and p99 of a load on one company, and of the same over all of them, in turns. */
export async function tellLoads(url: string, places: readonly Place[]): Promise<void> {
  const loads = { "one company": places.slice(0, 1), [`${places.length} companies`]: places };
  const rows: string[][] = [];
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, some] of Object.entries(loads)) {
      const times = await load(url, some);
      // The first round compiles, and opens the databases.
      if (round > 0) rows.push([name, milliseconds(times, 50), milliseconds(times, 99)]);
    }
  console.log(
    align([[`${CALLS} calls, ${CONNECTIONS} at once`, "p50", "p99"], ...rows.toSorted()]).join("\n"),
  );
}

async function load(url: string, places: readonly Place[]): Promise<number[]> {
  const calls = Array.from({ length: CALLS }, (_, index) => places[index % places.length]).values();
  const times: number[] = [];
  const line = async () => {
    for (const place of calls) if (place !== undefined) times.push(await list(url, place));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, line));
  return times;
}

/** Reads the company's customers; gives the milliseconds. */
async function list(url: string, { slug, headers }: Place): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/v1/customers/${slug}`, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${slug} answered ${response.status}`);
  return performance.now() - startedAt;
}

function percentile(times: readonly number[] = [], percent: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(((times.length - 1) * percent) / 100)] ?? 0;
}

function milliseconds(times: readonly number[] | undefined, percent: number): string {
  return `${percentile(times, percent).toFixed(1)} ms`;
}
