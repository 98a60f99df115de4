import { eq } from "drizzle-orm";
import type { WriteCtx } from "#platform/context.ts";
import { atomic } from "#platform/write/atomic.ts";
import type { ProjectParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { requireProject } from "../within-project.ts";
import type { AreaCreate } from "./schema.ts";
import { type AreaRow, selectAreas } from "./snapshot.ts";
import { areas } from "./tables.ts";

export function createArea(
  ctx: WriteCtx,
  { project_id: projectId }: ProjectParams,
  { name, parent_id: parentId = null }: AreaCreate,
): Promise<AreaRow> {
  return atomic(
    ctx,
    [
      requireProject(projectId),
      ...requireParent(areas, projectId, parentId, null),
      ctx.db.insert(areas).values({
        operation: ctx.call.id,
        projectId,
        parentId,
        name,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectAreas(eq(areas.operation, ctx.call.id)),
    PARENT_REFUSALS,
  );
}
