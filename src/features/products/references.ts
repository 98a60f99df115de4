import { type SQL, sql } from "drizzle-orm";
import { type Refusals, refuseWhen } from "#platform/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import { categories, units } from "./tables.ts";

/** Aborts the batch when a product is to refer to a unit or category that is not there. */
export function requireReferences(unitId: number | undefined, categoryId: number | null | undefined): SQL[] {
  const refusals: SQL[] = [];
  if (unitId !== undefined) {
    refusals.push(
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${units} WHERE ${units.id} = ${unitId})`, "unit_gone"),
    );
  }
  if (categoryId != null) {
    const found = sql`SELECT 1 FROM ${categories} WHERE ${categories.id} = ${categoryId}`;
    refusals.push(refuseWhen(sql`NOT EXISTS (${found})`, "category_gone"));
  }
  return refusals;
}

export const REFERENCE_REFUSALS: Refusals = {
  unit_gone: () => fieldProblem("unit_id", "not_found", "names no unit"),
  category_gone: () => fieldProblem("category_id", "not_found", "names no category"),
};
