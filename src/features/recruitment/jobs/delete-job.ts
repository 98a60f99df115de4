import { eq, sql } from "drizzle-orm";
import type { WriteCtx } from "#platform/context.ts";
import { selectId } from "#platform/sql/json.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { applications } from "../applications/tables.ts";
import { jobs } from "./tables.ts";

/** Removes a job that nobody applied for; any other can be closed. */
export function deleteJob(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`EXISTS (SELECT 1 FROM ${applications} WHERE ${applications.jobId} = ${id})`, "in_use"),
      ctx.db.delete(jobs).where(eq(jobs.id, id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}
