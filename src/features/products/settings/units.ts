import { eq, type SQL, sql } from "drizzle-orm";
import { atomic, refuseIfNone, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once } from "#platform/json.ts";
import { readList, readOne } from "#platform/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { ProductParams, UnitCreate, UnitPatch } from "../schema.ts";
import { products, units } from "../tables.ts";

const shape = { id: units.id, code: units.code, name: units.name };
type UnitRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** Units of measure, newest first. */
export async function listUnitSettings(
  ctx: Ctx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<UnitRow>> {
  const tail = sql`${units.id} < ${idBelow(page)} ORDER BY ${units.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectUnits(tail));
}

export async function getUnit(ctx: Ctx, { id }: ProductParams): Promise<UnitRow> {
  return readOne(ctx, selectUnits(eq(units.id, id)));
}

export function createUnit(ctx: Ctx, _params: unknown, body: UnitCreate): Promise<UnitRow> {
  return atomic(ctx, [ctx.db.insert(units).values(body)], selectUnits(eq(units.code, body.code)));
}

export function updateUnit(ctx: Ctx, { id }: ProductParams, patch: UnitPatch): Promise<UnitRow> {
  const here = eq(units.id, id);
  return atomic(
    ctx,
    [ctx.db.update(units).set(patch).where(here), refuseIfNone("not_found")],
    selectUnits(here),
  );
}

/** Removes a unit that no product is measured in. */
export function deleteUnit(ctx: Ctx, { id }: ProductParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`EXISTS (SELECT 1 FROM ${products} WHERE ${products.unitId} = ${id})`, "in_use"),
      ctx.db.delete(units).where(eq(units.id, id)),
      refuseIfNone("not_found"),
    ],
    sql<{ id: number }>`SELECT json_object('id', ${id})`,
  );
}

export function renderUnitSettings(row: UnitRow) {
  return { ...row, id: String(row.id) };
}

function selectUnits(tail: SQL): SQL<UnitRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${units} WHERE ${tail}`;
}
