import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import { isOpen } from "./open-job.ts";
import type { JobParams } from "./schema.ts";
import { type JobRow, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";

/** An open job, by the name it has in addresses. */
export function getJob(ctx: CallCtx, { slug }: JobParams): Promise<JobRow> {
  return readOne(ctx, selectJobs(sql`${jobs.slug} = ${slug} AND ${isOpen(ctx)}`));
}
