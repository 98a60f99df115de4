import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic } from "#core/write/atomic.ts";
import { workItems } from "#tables/projects";
import { PROJECT_REFERENCE_REFUSALS, requireProjectReferences } from "../project-references.ts";
import type { RecordParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { datesOutOfOrder, requireRecord } from "../within-project.ts";
import { selectWorkItem, type WorkItemDetailRow } from "./record.ts";
import type { TargetState, WorkItemPatch } from "./schema.ts";
import { stateRefusals, targetOf } from "./target-state.ts";
import { moveTo } from "./transition.ts";
import { requireVersion, touched } from "./version.ts";

/** Changes the fields sent, and moves the item where a state comes with them. */
export function updateWorkItem(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  patch: WorkItemPatch,
  state?: TargetState,
): Promise<WorkItemDetailRow> {
  const here = eq(workItems.id, id);
  return atomic(
    ctx,
    [
      requireRecord(workItems, projectId, id),
      ...requireVersion(id, patch.expected_version),
      ...requireProjectReferences(projectId, patch),
      ...requireParent(workItems, projectId, patch.parent_id, id),
      ctx.db
        .update(workItems)
        .set({
          ...columnsOf(workItems, patch, ["tags", "reference", "expected_version"]),
          tags: patch.tags && JSON.stringify(patch.tags),
          ...touched(ctx),
        })
        .where(here),
      ...(state === undefined ? [] : moveTo(ctx, id, targetOf(state))),
    ],
    selectWorkItem(ctx, here),
    {
      ...PROJECT_REFERENCE_REFUSALS,
      ...PARENT_REFUSALS,
      ...datesOutOfOrder("due_date"),
      ...stateRefusals(state ?? {}),
    },
  );
}
