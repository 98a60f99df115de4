import { eq, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, type Refusals, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { products } from "../products/tables.ts";
import type { UnitCreate, UnitPatch } from "./schema.ts";
import { selectUnits, type UnitRecord } from "./snapshot.ts";
import { units } from "./tables.ts";

const REFUSALS: Refusals = {
  unit_base: () => fieldProblem("base_code", "not_found", "must name a unit that has no base itself"),
  unit_conversion: () =>
    fieldProblem("factor", "required", "must be sent together with base_code, of another unit"),
};

/** Units of measure, newest first. */
export async function listUnitSettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<UnitRecord>> {
  const tail = sql`${units.id} < ${idBelow(page)} ORDER BY ${units.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectUnits(tail));
}

export async function getUnit(ctx: CallCtx, { id }: RecordParams): Promise<UnitRecord> {
  return readOne(ctx, selectUnits(eq(units.id, id)));
}

export function createUnit(ctx: WriteCtx, _params: unknown, body: UnitCreate): Promise<UnitRecord> {
  return atomic(
    ctx,
    [ctx.db.insert(units).values(columnsOf(body))],
    selectUnits(eq(units.code, body.code)),
    REFUSALS,
  );
}

export function updateUnit(ctx: WriteCtx, { id }: RecordParams, patch: UnitPatch): Promise<UnitRecord> {
  const here = eq(units.id, id);
  return atomic(
    ctx,
    [ctx.db.update(units).set(columnsOf(patch)).where(here), refuseIfNone("not_found")],
    selectUnits(here),
    REFUSALS,
  );
}

/** Removes a unit that no product and no other unit refers to. */
export function deleteUnit(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`EXISTS (SELECT 1 FROM ${products} WHERE ${products.unitId} = ${id})`, "in_use"),
      ctx.db.delete(units).where(eq(units.id, id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

function columnsOf<Fields extends UnitPatch>({
  base_code: baseCode,
  factor: factorThousandths,
  ...rest
}: Fields) {
  return { ...rest, baseCode, factorThousandths };
}
