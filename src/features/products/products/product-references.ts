import { type SQL, sql } from "drizzle-orm";
import { type Refusals, requireReferred } from "#core/write/atomic.ts";
import { notRegistered } from "#shared/gst/registration.ts";
import { fieldProblem } from "#shared/problem.ts";
import { categories, products, units } from "#tables/products";
import type { ProductPatch } from "./schema.ts";

/**
 * Aborts the batch when a product is to refer to a unit or category that is not there, or the lesson of a package is not a
 * product that can be booked now.
 */
export function requireProductReferences(body: ProductPatch): SQL[] {
  const { unit_id: unitId, category_id: categoryId, lesson_product_id: lessonId } = body;
  const unit = sql`SELECT 1 FROM ${units} WHERE ${units.id} = ${unitId}`;
  const category = sql`SELECT 1 FROM ${categories} WHERE ${categories.id} = ${categoryId}`;
  const lesson = sql`SELECT 1 FROM ${products} WHERE ${products.id} = ${lessonId} AND ${products.status} = 'active'
    AND ${products.isPackage} = 0 AND ${products.transmission} IS NOT NULL`;
  return [
    ...requireReferred(unitId, unit, "unit_gone"),
    ...requireReferred(categoryId, category, "category_gone"),
    ...requireReferred(lessonId, lesson, "product_gone"),
  ];
}

export const PRODUCT_REFERENCE_REFUSALS: Refusals = {
  unit_gone: () => fieldProblem("unit_id", "not_found", "names no unit"),
  category_gone: () => fieldProblem("category_id", "not_found", "names no category"),
  product_gone: () =>
    fieldProblem("lesson_product_id", "not_a_lesson", "names no active lesson course", "invalid_product"),
  rate_not_zero: () => fieldProblem("gst_treatment", "rate_not_zero", "has no tax, so tax_rate must be 0"),
  gst_not_registered: () => notRegistered("tax_rate"),
  package_without_lesson: () =>
    fieldProblem(
      "lesson_product_id",
      "required",
      "and sessions are required of a package in the shop",
      "invalid_product",
    ),
};
