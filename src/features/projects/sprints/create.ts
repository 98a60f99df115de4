import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { PROJECT_REFERENCE_REFUSALS, requireProjectReferences } from "../project-references.ts";
import type { ProjectParams } from "../schema.ts";
import { requireProject } from "../within-project.ts";
import type { SprintCreate } from "./schema.ts";
import { SPRINT_REFUSALS, type SprintRow, selectSprints } from "./snapshot.ts";
import { sprints } from "./tables.ts";

export function createSprint(
  ctx: WriteCtx,
  { project_id: projectId }: ProjectParams,
  body: SprintCreate,
): Promise<SprintRow> {
  return atomic(
    ctx,
    [
      requireProject(projectId),
      ...requireProjectReferences(projectId, body),
      ctx.db.insert(sprints).values({
        operation: ctx.call.id,
        projectId,
        name: body.name,
        goal: body.goal ?? null,
        iterationId: body.iteration_id ?? null,
        startDate: body.start_date ?? null,
        endDate: body.end_date ?? null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectSprints(eq(sprints.operation, ctx.call.id)),
    { ...PROJECT_REFERENCE_REFUSALS, ...SPRINT_REFUSALS },
  );
}
