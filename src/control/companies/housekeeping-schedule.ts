import { and, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { Database } from "#platform/database/database.ts";
import { purgeOperations } from "#platform/write/purge-operations.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { Directory } from "../directory.ts";
import { companies } from "../tables.ts";

/** Between two housekeeping runs of a company, unless a write asks for one sooner. */
export const HOUSEKEEPING_EVERY_MS = HOUR_MS;
const AT_ONCE = 100;

type Due = { id: number; slug: string };

/** Purges the control database, and gives the companies whose housekeeping is due; each is next due in an hour. */
export async function dueCompanies(directory: Directory, now: number): Promise<Due[]> {
  const control = new Database(directory.control);
  await purgeOperations(control, now);
  const due = control.build
    .select({ id: companies.id })
    .from(companies)
    .where(and(eq(companies.status, "active"), lte(companies.nextSweepAt, now)))
    .orderBy(companies.nextSweepAt)
    .limit(AT_ONCE);
  const [result] = await control.write([
    sql`UPDATE ${companies} SET next_sweep_at = ${now + HOUSEKEEPING_EVERY_MS} WHERE ${inArray(companies.id, due)} RETURNING id, slug`,
  ]);
  return (result?.rows ?? []).map(({ id, slug }) => ({ id: Number(id), slug: String(slug) }));
}

/** Makes the housekeeping of these companies due at `at`, unless it is due sooner. */
export async function housekeepBy(directory: Directory, ids: number[], at: number): Promise<void> {
  const control = new Database(directory.control);
  await control.write([
    control.build
      .update(companies)
      .set({ nextSweepAt: at })
      .where(and(inArray(companies.id, ids), gt(companies.nextSweepAt, at))),
  ]);
}
