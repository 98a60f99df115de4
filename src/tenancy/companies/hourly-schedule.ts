import { and, asc, eq, lte, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { purgeOperations } from "#core/write/purge-operations.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/durations.ts";
import { apiKeys, auditHeads, companies } from "#tables/tenancy";
import type { Directory } from "../directory.ts";

/** The time between two runs of a company's hourly jobs. */
export const HOURLY_JOBS_EVERY_MS = HOUR_MS;
/** The same of a company at rest. */
const AT_REST_EVERY_MS = DAY_MS;
// A use of a key is recorded once an hour only, and a write may commit a while after it.
const QUIET_MS = 2 * HOUR_MS;
const PAGE = 1_000;

/**
 * Purges the control database, and hands the slugs of the companies whose hourly jobs are due to `queue`, in pages
 * until none is left. A page is due again in an hour only once `queue` has taken it: an interrupted page is queued
 * twice, and no company is skipped.
 */
export async function queueDueCompanies(
  directory: Directory,
  now: number,
  queue: (slugs: string[]) => Promise<void>,
): Promise<void> {
  const control = new Database(directory.control);
  await purgeOperations(control, now);
  const isDue = and(eq(companies.status, "active"), lte(companies.nextSweepAt, now));
  for (let left = PAGE; left === PAGE; ) {
    const [page] = await control.read([
      control.build
        .select({ id: companies.id, slug: companies.slug })
        .from(companies)
        .where(isDue)
        .orderBy(asc(companies.nextSweepAt))
        .limit(PAGE),
    ]);
    left = page.length;
    if (left === 0) return;
    await queue(page.map(({ slug }) => slug));
    const ids = JSON.stringify(page.map(({ id }) => id));
    await control.write([
      control.build
        .update(companies)
        .set({ nextSweepAt: now + HOURLY_JOBS_EVERY_MS })
        .where(and(sql`${companies.id} IN (SELECT value FROM json_each(${ids}))`, isDue)),
    ]);
  }
}

/**
 * Puts the hourly jobs of a company that has nothing to come off for a day. Not where it, one of its keys or its audit
 * log changed or a key was used within two hours: a run in an hour then finds what a lost clock has left. The same
 * changes bring the run forward again, by triggers.
 */
export async function putOffHourlyJobs(directory: Directory, companyId: number, now: number): Promise<void> {
  const control = new Database(directory.control);
  const since = now - QUIET_MS;
  await control.write([
    control.build
      .update(companies)
      .set({ nextSweepAt: now + AT_REST_EVERY_MS })
      .where(
        and(
          eq(companies.id, companyId),
          lte(companies.updatedAt, since),
          sql`NOT EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.companyId} = ${companies.id}
            AND max(${apiKeys.updatedAt}, coalesce(${apiKeys.lastUsedAt}, 0)) > ${since})`,
          sql`NOT EXISTS (SELECT 1 FROM ${auditHeads} WHERE ${auditHeads.companyId} = ${companies.id}
            AND ${auditHeads.chainedAt} - ${companies.clockOffsetMs} > ${since})`,
        ),
      ),
  ]);
}
