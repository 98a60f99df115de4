import { eq } from "drizzle-orm";
import type { Ctx, WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic } from "#core/write/atomic.ts";
import { changeableOf } from "#shared/fields/patch.ts";
import { Problem } from "#shared/problem.ts";
import { workItems } from "#tables/projects";
import { PROJECT_REFERENCE_REFUSALS, requireProjectReferences } from "../project-references.ts";
import type { RecordParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { datesOutOfOrder, requireRecord } from "../within-project.ts";
import { selectWorkItem, type WorkItemDetailRow } from "./record.ts";
import { type TargetState, type WorkItemCreate, WorkItemPatch } from "./schema.ts";
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

/** Changes the fields of a create's body of the item that has the caller's own id, and moves it where a state is among them. */
export function changeByOwnId(
  ctx: Ctx,
  params: RecordParams,
  body: WorkItemCreate,
): Promise<WorkItemDetailRow> {
  const moves = body.status !== undefined || body.state !== undefined;
  return updateWorkItem(ctx, params, changeableOf(WorkItemPatch, body), moves ? body : undefined).catch(
    (error) => ofAnotherProject(ctx, params.id, error),
  );
}

/** No item is deleted: one that the project does not have is of another. */
function ofAnotherProject(ctx: Ctx, id: number, error: unknown): never {
  if (!(error instanceof Problem) || error.code !== "not_found") throw error;
  throw new Problem("duplicate_external_id", ctx.client.holds("projects.read") ? { members: { id } } : {});
}
