import { eq, type SQL, sql } from "drizzle-orm";
import { atomic, type Refusals, refuseIfNone, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once } from "#platform/json.ts";
import { readList, readOne } from "#platform/read-records.ts";
import { quantityToWire } from "#shared/numbers.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { ProductParams, UnitCreate, UnitPatch } from "../schema.ts";
import { products, units } from "../tables.ts";

const shape = {
  id: units.id,
  code: units.code,
  name: units.name,
  base_code: units.baseCode,
  factor_thousandths: units.factorThousandths,
};
type UnitRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));
const REFUSALS: Refusals = {
  unit_base: () => fieldProblem("base_code", "not_found", "must name a unit that has no base itself"),
  unit_conversion: () =>
    fieldProblem("factor", "required", "must be sent together with base_code, of another unit"),
};

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
  return atomic(
    ctx,
    [ctx.db.insert(units).values(columnsOf(body))],
    selectUnits(eq(units.code, body.code)),
    REFUSALS,
  );
}

export function updateUnit(ctx: Ctx, { id }: ProductParams, patch: UnitPatch): Promise<UnitRow> {
  const here = eq(units.id, id);
  return atomic(
    ctx,
    [ctx.db.update(units).set(columnsOf(patch)).where(here), refuseIfNone("not_found")],
    selectUnits(here),
    REFUSALS,
  );
}

/** Removes a unit that no product is measured in, and no other unit by. */
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

export function renderUnitSettings({ factor_thousandths: factor, ...row }: UnitRow) {
  return { ...row, id: String(row.id), factor: factor === null ? null : quantityToWire(factor) };
}

function columnsOf<Fields extends UnitPatch>({
  base_code: baseCode,
  factor: factorThousandths,
  ...rest
}: Fields) {
  return { ...rest, baseCode, factorThousandths };
}

function selectUnits(tail: SQL): SQL<UnitRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${units} WHERE ${tail}`;
}
