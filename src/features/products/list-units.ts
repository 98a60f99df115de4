import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject } from "#platform/json.ts";
import { readAll } from "#platform/read-records.ts";
import { units } from "./tables.ts";

const shape = { id: units.id, code: units.code, name: units.name };
export type UnitRow = JsonRow<typeof shape>;

/** All units of measure, by code. */
export async function listUnits(ctx: Ctx): Promise<UnitRow[]> {
  const select = sql<UnitRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${units} ORDER BY ${units.code}`;
  return readAll(ctx, select);
}

export function renderUnit({ id, code, name }: UnitRow) {
  return { id: String(id), code, name };
}
