import { type SQL, sql } from "drizzle-orm";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { fieldProblem } from "#shared/problem.ts";
import { products, units } from "#tables/products";

export type UnitRow = typeof units.$inferSelect;

const ONE = 1_000;
const MOST = 99_999_999_000n;

/** The query for the units with these codes, in any case, and for the units of these products. */
export function unitsOf(codes: readonly string[], productIds: readonly number[]) {
  const upper = codes.map((code) => code.toUpperCase());
  return selectUnits({ codes: JSON.stringify(upper), productIds: JSON.stringify(productIds) });
}

const selectUnits = keptQuery((db, { codes, productIds }: Given<{ codes: string; productIds: string }>) =>
  db
    .select()
    .from(units)
    .where(sql`${units.code} IN ${list(codes)}
      OR ${units.id} IN (SELECT ${products.unitId} FROM ${products} WHERE ${products.id} IN ${list(productIds)})`),
);

/**
 * Converts a line's quantity, in thousandths of the unit that the line names, to thousandths of the product's unit.
 * Throws the 422 of the line's `field` where the units have no common base or the result is not whole.
 */
export function inUnitOf(
  product: { unitId: number },
  line: { unit: string; quantity: number },
  known: readonly UnitRow[],
  field: string,
): number {
  const own = known.find(({ id }) => id === product.unitId);
  const named = known.find(({ code }) => code === line.unit.toUpperCase());
  if (own === undefined) throw new Error(`Unit ${product.unitId} was not read`);
  if (named?.id === own.id) return line.quantity;
  if (named === undefined || baseOf(named) !== baseOf(own))
    throw fieldProblem(`${field}.unit`, "unit_mismatch", `must be ${own.code}, or a multiple or part of it`);
  const dividend = BigInt(line.quantity) * BigInt(named.factorThousandths ?? ONE);
  const divisor = BigInt(own.factorThousandths ?? ONE);
  if (dividend % divisor !== 0n)
    throw fieldProblem(`${field}.quantity`, "invalid_precision", `must be whole thousandths of ${own.code}`);
  if (dividend / divisor > MOST)
    throw fieldProblem(`${field}.quantity`, "too_big", `is too much in ${own.code}`);
  return Number(dividend / divisor);
}

function baseOf({ code, baseCode }: UnitRow): string {
  return baseCode ?? code;
}

function list(values: SQL<string>): SQL {
  return sql`(SELECT value FROM json_each(${values}))`;
}
