import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import type { RecordParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { datesOutOfOrder, requireRecord } from "../within-project.ts";
import { type IterationRow, iteration } from "./record.ts";
import type { IterationPatch } from "./schema.ts";
import { iterations } from "./tables.ts";

/** Changes the fields sent; a move takes along all that is below. */
export function updateIteration(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  patch: IterationPatch,
): Promise<IterationRow> {
  const here = eq(iterations.id, id);
  return atomic(
    ctx,
    [
      requireRecord(iterations, projectId, id),
      ...requireParent(iterations, projectId, patch.parent_id, id),
      ctx.db
        .update(iterations)
        .set({
          name: patch.name,
          parentId: patch.parent_id,
          type: patch.type,
          startDate: patch.start_date,
          endDate: patch.end_date,
          updatedAt: ctx.now,
        })
        .where(here),
    ],
    iteration.select(here),
    { ...PARENT_REFUSALS, ...datesOutOfOrder("end_date") },
  );
}
