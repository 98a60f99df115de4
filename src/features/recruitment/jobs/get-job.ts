import { eq, sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readOne } from "#platform/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { isOpen } from "./open-job.ts";
import type { JobParams } from "./schema.ts";
import { type JobRow, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";

/** An open job, by the name it has in addresses. */
export function getJob(ctx: CallCtx, { slug }: JobParams): Promise<JobRow> {
  return readOne(ctx, selectJobs(sql`${jobs.slug} = ${slug} AND ${isOpen(ctx)}`));
}

/** Any job, closed or unpublished too. */
export function getJobSettings(ctx: CallCtx, { id }: RecordParams): Promise<JobRow> {
  return readOne(ctx, selectJobs(eq(jobs.id, id)));
}
