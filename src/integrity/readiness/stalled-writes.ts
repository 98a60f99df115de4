import { sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { type Stalled, stalledDatabases } from "#core/database/stalled.ts";

const NOTHING = sql`SELECT 1`;
const MOST_AT_ONCE = 8;
/** Longer than a write with all its attempts takes: one that has not ended by then was cut off. */
const TRIAL_MS = 15_000;

let tryingUntil = 0;

/** For how many seconds a database that answers reads has answered no write; 0 where each answers. */
export function stalledSeconds(): number {
  const longest = stalledDatabases().find(({ reads }) => reads);
  return longest === undefined ? 0 : Math.floor((performance.now() - longest.since) / 1_000);
}

/** Tries a read and an empty write in databases that answered no write, in line with calls: no call has to be the trial. */
export async function tryStalled(): Promise<void> {
  const stalled = stalledDatabases().slice(0, MOST_AT_ONCE);
  if (stalled.length === 0 || performance.now() < tryingUntil) return;
  tryingUntil = performance.now() + TRIAL_MS;
  await Promise.all(stalled.map(tryOne));
  tryingUntil = 0;
}

async function tryOne(stalled: Stalled): Promise<void> {
  const database = new Database(stalled.address);
  const tryWrite = database.write([NOTHING]).catch(() => undefined);
  stalled.reads = await database.read([database.build.all(NOTHING)]).then(
    () => true,
    () => false,
  );
  await tryWrite;
}
