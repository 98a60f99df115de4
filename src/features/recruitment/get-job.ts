import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import type { JobParams } from "./schema.ts";
import { isOpen, type JobRow, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";

export async function getJob(ctx: Ctx, { slug }: JobParams): Promise<JobRow> {
  const [rows] = await read(ctx, [
    jsonQuery(ctx, selectJobs(sql`${jobs.slug} = ${slug} AND ${isOpen(ctx)}`)),
  ]);
  const [job] = parseRows(rows);
  if (job === undefined) throw new Problem("not_found");
  return job;
}
