import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { PROJECT_REFERENCE_REFUSALS, requireProjectReferences } from "../project-references.ts";
import type { RecordParams } from "../schema.ts";
import { requireRecord } from "../within-project.ts";
import type { SprintPatch } from "./schema.ts";
import { SPRINT_REFUSALS, type SprintRow, selectSprints } from "./snapshot.ts";
import { sprints } from "./tables.ts";

/** Changes the fields sent; of a completed sprint only its name and goal. */
export function updateSprint(
  ctx: WriteCtx,
  { project_id: projectId, id }: RecordParams,
  patch: SprintPatch,
): Promise<SprintRow> {
  const here = eq(sprints.id, id);
  return atomic(
    ctx,
    [
      requireRecord(sprints, projectId, id),
      ...requireProjectReferences(projectId, patch),
      ctx.db
        .update(sprints)
        .set({
          name: patch.name,
          goal: patch.goal,
          iterationId: patch.iteration_id,
          startDate: patch.start_date,
          endDate: patch.end_date,
          updatedAt: ctx.now,
        })
        .where(here),
    ],
    selectSprints(here),
    { ...PROJECT_REFERENCE_REFUSALS, ...SPRINT_REFUSALS },
  );
}
