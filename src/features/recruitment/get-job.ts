import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { readOne } from "#platform/read-records.ts";
import type { JobParams } from "./schema.ts";
import { isOpen, type JobRow, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";

export function getJob(ctx: Ctx, { slug }: JobParams): Promise<JobRow> {
  return readOne(ctx, selectJobs(sql`${jobs.slug} = ${slug} AND ${isOpen(ctx)}`));
}
