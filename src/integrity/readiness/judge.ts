import { sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { whyGivenUp } from "#core/database/given-up.ts";
import { logFault } from "#core/log.ts";
import { CONTROL_MIGRATIONS } from "#migrations";
import { Problem } from "#shared/problem.ts";
import { heartbeats } from "#tables/tenancy";
import type { Directory } from "#tenancy/directory.ts";
import { hashed } from "#tenancy/migrations/migrate.ts";
import { type AppliedRow, lackingOf } from "#tenancy/migrations/missing-and-changed.ts";
import { selectOldestTokens, someOpens } from "#tenancy/oldest-tokens.ts";

/** What keeps an instance from serving. */
type Fault =
  | "control_database_unavailable"
  | "control_database_missing"
  | "control_database_damaged"
  | "control_database_closed"
  | "control_database_not_migrated"
  | "no_key_opens";
export type Judgement = {
  faults: Fault[];
  /** When the cron and the consumers of the queues last worked, in epoch ms. */
  heartbeats: { name: string; at: number }[];
  /** What the clock of the database server said, in epoch ms; null where it did not answer. */
  databaseNow: number | null;
};

const LIMIT_MS = 3_000;
const FAULTS: Record<string, Fault> = {
  database_missing: "control_database_missing",
  database_damaged: "control_database_damaged",
  database_closed: "control_database_closed",
};
const UNAVAILABLE: Judgement = {
  faults: ["control_database_unavailable"],
  heartbeats: [],
  databaseNow: null,
};

/** Judges this instance within 3 s, by one read of the control database; asks no company's. */
export async function judge(directory: Directory): Promise<Judgement> {
  const timer = new AbortController();
  const late = scheduler.wait(LIMIT_MS, { signal: timer.signal }).then(() => UNAVAILABLE);
  try {
    return await Promise.race([judged(directory), late]);
  } finally {
    late.catch(() => undefined);
    timer.abort();
  }
}

async function judged(directory: Directory): Promise<Judgement> {
  const database = new Database(directory.control);
  try {
    const [applied, oldest, beats, [clock]] = await database.read([
      database.build.all<AppliedRow>(sql`SELECT * FROM migrations`),
      selectOldestTokens(database.build),
      database.build.select().from(heartbeats),
      database.build.all<{ now: number }>(sql`SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now`),
    ]);
    const { missing, unlike } = lackingOf(await hashed(CONTROL_MIGRATIONS), applied);
    const faults: Fault[] = [];
    if (missing.length + unlike.length > 0) faults.push("control_database_not_migrated");
    if (!(await someOpens(directory, oldest))) faults.push("no_key_opens");
    return { faults, heartbeats: beats, databaseNow: clock?.now ?? null };
  } catch (error) {
    logFault("readiness", error);
    const why = error instanceof Problem ? FAULTS[whyGivenUp(error)] : undefined;
    return why === undefined ? UNAVAILABLE : { ...UNAVAILABLE, faults: [why] };
  }
}
