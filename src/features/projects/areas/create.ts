import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import type { ProjectParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { requireProject } from "../within-project.ts";
import { type AreaRow, area } from "./record.ts";
import type { AreaCreate } from "./schema.ts";
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
    area.select(eq(areas.operation, ctx.call.id)),
    PARENT_REFUSALS,
  );
}
