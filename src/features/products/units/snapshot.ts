import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { quantityToWire } from "#shared/fields/numbers.ts";
import { units } from "./tables.ts";

const shape = {
  id: units.id,
  code: units.code,
  name: units.name,
  base_code: units.baseCode,
  factor_thousandths: units.factorThousandths,
};
export type UnitRecord = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of units of measure; `tail` goes on after WHERE. */
export function selectUnits(tail: SQL): SQL<UnitRecord> {
  return sql`SELECT ${columns()} AS snapshot FROM ${units} WHERE ${tail}`;
}

export function renderUnit({ factor_thousandths: factor, ...row }: UnitRecord) {
  return { ...row, id: String(row.id), factor: factor === null ? null : quantityToWire(factor) };
}
