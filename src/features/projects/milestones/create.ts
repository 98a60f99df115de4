import { eq } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import type { ProjectParams } from "../schema.ts";
import { requireProject } from "../within-project.ts";
import type { MilestoneCreate } from "./schema.ts";
import { type MilestoneRow, selectMilestones } from "./snapshot.ts";
import { milestones } from "./tables.ts";
import { MILESTONE_REFUSALS } from "./update.ts";

export function createMilestone(
  ctx: WriteCtx,
  { project_id: projectId }: ProjectParams,
  body: MilestoneCreate,
): Promise<MilestoneRow> {
  const status = body.status ?? "pending";
  const stamp = status === "completed" ? companyToday(ctx) : null;
  return atomic(
    ctx,
    [
      requireProject(projectId),
      ctx.db.insert(milestones).values({
        operation: ctx.call.id,
        projectId,
        name: body.name,
        description: body.description ?? null,
        startDate: body.start_date ?? null,
        dueDate: body.due_date ?? null,
        status,
        completedDate: body.completed_date ?? stamp,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectMilestones(companyToday(ctx), eq(milestones.operation, ctx.call.id)),
    MILESTONE_REFUSALS,
  );
}
