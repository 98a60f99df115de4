import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import type { RecordParams } from "../schema.ts";
import { PARENT_REFUSALS, requireParent } from "../tree.ts";
import { requireRecord } from "../within-project.ts";
import { type AreaRow, area } from "./record.ts";
import type { AreaPatch } from "./schema.ts";
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
    area.select(here),
    PARENT_REFUSALS,
  );
}
