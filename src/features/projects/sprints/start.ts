import { and, eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { sprints } from "#tables/projects";
import type { RecordParams } from "../schema.ts";
import { requireRecord } from "../within-project.ts";
import { SPRINT_REFUSALS, type SprintRow, sprint } from "./record.ts";

/** Starts a planned sprint that has both dates; a project has one active sprint at most. */
export function startSprint(ctx: WriteCtx, { project_id: projectId, id }: RecordParams): Promise<SprintRow> {
  return atomic(
    ctx,
    [
      requireRecord(sprints, projectId, id),
      ctx.db
        .update(sprints)
        .set({ status: "active", startedAt: ctx.now, updatedAt: ctx.now })
        .where(and(eq(sprints.id, id), eq(sprints.status, "planned"))),
      refuseIfNone("sprint_not_planned"),
    ],
    sprint.select(eq(sprints.id, id)),
    SPRINT_REFUSALS,
  );
}
