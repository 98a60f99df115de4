import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { PROJECT_REFERENCE_REFUSALS, requireProjectReferences } from "../project-references.ts";
import type { RecordParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { datesOutOfOrder, requireRecord } from "../within-project.ts";
import type { WorkItemPatch } from "./schema.ts";
import { selectWorkItem, type WorkItemDetailRow } from "./snapshot.ts";
import { workItems } from "./tables.ts";
import { requireVersion, touched } from "./version.ts";

/** Changes the fields sent; the state moves by a transition only. */
export function updateWorkItem(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  patch: WorkItemPatch,
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
          title: patch.title,
          type: patch.type,
          description: patch.description,
          priority: patch.priority,
          severity: patch.severity,
          assignedTo: patch.assigned_to,
          parentId: patch.parent_id,
          iterationId: patch.iteration_id,
          sprintId: patch.sprint_id,
          areaId: patch.area_id,
          storyPoints: patch.story_points,
          estimatedHours: patch.estimated_hours,
          remainingHours: patch.remaining_hours,
          startDate: patch.start_date,
          dueDate: patch.due_date,
          tags: patch.tags && JSON.stringify(patch.tags),
          asA: patch.as_a,
          iWant: patch.i_want,
          soThat: patch.so_that,
          acceptanceCriteria: patch.acceptance_criteria,
          reproSteps: patch.repro_steps,
          ...touched(ctx),
        })
        .where(here),
    ],
    selectWorkItem(ctx, here),
    { ...PROJECT_REFERENCE_REFUSALS, ...PARENT_REFUSALS, ...datesOutOfOrder("due_date") },
  );
}
