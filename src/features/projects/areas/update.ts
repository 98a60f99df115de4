import { eq } from "drizzle-orm";
import type { WriteCtx } from "#platform/context.ts";
import { atomic } from "#platform/write/atomic.ts";
import type { RecordParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { requireRecord } from "../within-project.ts";
import type { AreaPatch } from "./schema.ts";
import { type AreaRow, selectAreas } from "./snapshot.ts";
import { areas } from "./tables.ts";

/** Renames or moves an area; all below it move with it. */
export function updateArea(
  ctx: WriteCtx,
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
