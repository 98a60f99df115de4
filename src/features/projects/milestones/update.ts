import { and, eq, type SQL, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { WriteCtx } from "#core/context.ts";
import { atomic, type Refusals, refuseIfNone } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { RecordParams } from "../schema.ts";
import { datesOutOfOrder } from "../within-project.ts";
import type { MilestonePatch } from "./schema.ts";
import { type MilestoneRow, selectMilestones } from "./snapshot.ts";
import { milestones } from "./tables.ts";

export const MILESTONE_REFUSALS: Refusals = {
  ...datesOutOfOrder("due_date"),
  completed_date_without_completed: () =>
    fieldProblem("completed_date", "not_completed", "needs the status completed"),
};

export function updateMilestone(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  patch: MilestonePatch,
): Promise<MilestoneRow> {
  const here = and(eq(milestones.projectId, projectId), eq(milestones.id, id));
  return atomic(
    ctx,
    [
      ctx.db
        .update(milestones)
        .set({
          name: patch.name,
          description: patch.description,
          startDate: patch.start_date,
          dueDate: patch.due_date,
          status: patch.status,
          completedDate: completion(patch, companyToday(ctx)),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectMilestones(companyToday(ctx), eq(milestones.id, id)),
    MILESTONE_REFUSALS,
  );
}

/**
 * Entering `completed` stamps today unless a date is sent; leaving it clears the date. Written against the stored row,
 * so that one UPDATE needs no read before it and cannot race.
 */
function completion(patch: MilestonePatch, today: string): SQL<string> | string | null | undefined {
  if (patch.status === undefined) return patch.completed_date;
  if (patch.status !== "completed") return patch.completed_date ?? null;
  return patch.completed_date ?? sql<string>`coalesce(${milestones.completedDate}, ${today})`;
}
