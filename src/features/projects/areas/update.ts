import { eq } from "drizzle-orm";
import { atomic } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { requireRecord } from "../read.ts";
import type { RecordParams } from "../schema.ts";
import { areas } from "../tables.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import type { AreaPatch } from "./schema.ts";
import { type AreaRow, selectAreas } from "./snapshot.ts";

/** Renames or moves an area; all below it move with it. */
export function updateArea(
  ctx: Ctx,
  { project_id: projectId, id }: RecordParams,
  { name, parent_id: parentId }: AreaPatch,
): Promise<AreaRow> {
  const here = eq(areas.id, id);
  return atomic(
    ctx,
    [
      requireRecord(areas, projectId, id),
      ...requireParent(areas, projectId, parentId, id),
      ctx.db.update(areas).set({ name, parentId, updatedAt: ctx.now }).where(here),
    ],
    selectAreas(here),
    PARENT_REFUSALS,
  );
}
