import { type SQL, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { ReadCtx } from "#core/context.ts";
import { jobs } from "#tables/recruitment";

/** A job that takes applications now; any other one does not exist for a career site. */
export function isOpen(ctx: ReadCtx): SQL {
  return sql`${jobs.status} = 'open' AND ${jobs.isPublished} = 1 AND ${jobs.postedAt} <= ${ctx.now}
    AND (${jobs.closesAt} IS NULL OR ${jobs.closesAt} >= ${companyToday(ctx)})`;
}
