import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { requireDepartment } from "../departments/require-department.ts";
import { columnsOf, descriptionOf, REFUSALS } from "./job-columns.ts";
import type { JobPatch } from "./schema.ts";
import { type JobRow, selectJobs } from "./snapshot.ts";
import { jobs } from "./tables.ts";

/** Changes what is sent of a job. */
export async function updateJob(ctx: WriteCtx, { id }: RecordParams, patch: JobPatch): Promise<JobRow> {
  return atomic(
    ctx,
    [
      ...requireDepartment(patch.department_id),
      ctx.db
        .update(jobs)
        .set({
          ...(await columnsOf(ctx, patch)),
          ...(patch.description_html === undefined ? {} : await descriptionOf(patch.description_html)),
          updatedAt: ctx.now,
        })
        .where(eq(jobs.id, id)),
      refuseIfNone("not_found"),
    ],
    selectJobs(eq(jobs.id, id)),
    REFUSALS,
  );
}
