import type { Ctx } from "#platform/context.ts";
import { read } from "#platform/operation-memory.ts";
import { units } from "./tables.ts";

export type UnitRow = typeof units.$inferSelect;

/** All units of measure, by code. */
export async function listUnits(ctx: Ctx): Promise<UnitRow[]> {
  const [rows] = await read(ctx, [ctx.db.select().from(units).orderBy(units.code)]);
  return rows;
}

export function renderUnit({ id, code, name }: UnitRow) {
  return { id: String(id), code, name };
}
