import { and, eq, notInArray, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import { sprints, workItems } from "#tables/projects";
import { requireProjectReferences } from "../project-references.ts";
import type { RecordParams } from "../schema.ts";
import { requireRecord } from "../within-project.ts";
import { touched } from "../work-items/version.ts";
import { SPRINT_REFUSALS, type SprintRow, sprint } from "./record.ts";
import type { SprintComplete } from "./schema.ts";

/**
 * Completes an active sprint and moves what is open in it. The sprint is completed first, because the log of a
 * completed sprint is closed: its chart keeps what it ended with.
 */
export function completeSprint(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  { move_open_to: target }: SprintComplete,
): Promise<SprintRow> {
  return atomic(
    ctx,
    [
      requireRecord(sprints, projectId, id),
      ctx.db
        .update(sprints)
        .set({ status: "completed", completedAt: ctx.now, updatedAt: ctx.now })
        .where(and(eq(sprints.id, id), eq(sprints.status, "active"))),
      refuseIfNone("sprint_not_active"),
      // The sprint itself is completed by now, so it is refused as a target like any other completed one.
      ...requireProjectReferences(projectId, { sprint_id: target }),
      ctx.db
        .update(workItems)
        .set({ sprintId: target, ...touched(ctx) })
        .where(
          and(
            eq(workItems.projectId, projectId),
            eq(workItems.sprintId, id),
            notInArray(workItems.stateCategory, sql`('completed', 'removed')`),
          ),
        ),
    ],
    sprint.select(eq(sprints.id, id)),
    {
      ...SPRINT_REFUSALS,
      sprint_not_open: () =>
        fieldProblem("move_open_to", "not_open", "names no other open sprint of this project"),
    },
  );
}
