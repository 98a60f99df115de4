import { and, asc, eq, lte, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { purgeOperations } from "#core/write/purge-operations.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { Directory } from "../directory.ts";
import { companies } from "../tables.ts";

/** The time between two runs of a company's hourly jobs. */
export const HOUSEKEEPING_EVERY_MS = HOUR_MS;
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
        .set({ nextSweepAt: now + HOUSEKEEPING_EVERY_MS })
        .where(and(sql`${companies.id} IN (SELECT value FROM json_each(${ids}))`, isDue)),
    ]);
  }
}
