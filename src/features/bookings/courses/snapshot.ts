import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { priceWithTax } from "#features/products";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { products } from "#tables/products";
import { bookingSettings } from "../settings/tables.ts";

const shape = {
  id: products.id,
  name: products.name,
  selling_price: products.sellingPrice,
  tax_rate: products.taxRate,
  price_includes_tax: products.priceIncludesTax,
  duration_minutes: sql<number>`coalesce(${products.durationMinutes}, (SELECT ${bookingSettings.slotLengthMinutes} FROM ${bookingSettings}))`,
  has_own_length: sql<number>`${products.durationMinutes} IS NOT NULL`,
  transmission: sql<"auto" | "manual">`${products.transmission}`,
  is_package: products.isPackage,
  sessions: products.sessions,
  product_type: products.productType,
  lesson_product_id: products.lessonProductId,
};
/** A product that can be taught: active, with a transmission. A lesson without a length has that of a slot, or of its booking. */
export type CourseRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));
// Literal text: with bound values the database could not use its index of courses.
export const isCourse = sql`${products.status} = 'active' AND ${products.transmission} IS NOT NULL
  AND (${products.durationMinutes} IS NOT NULL OR ${products.isPackage} = 0)`;

/** The SELECT of products; `tail` goes on after WHERE. */
export function selectCourses(tail: SQL): SQL<CourseRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${products} WHERE ${tail}`;
}

/** One course as JSON, or null. */
export function courseJson(id: number | SQL): SQL<CourseRow | null> {
  return sql`json((SELECT ${columns()} FROM ${products} WHERE ${products.id} = ${id} AND ${isCourse}))`;
}

export function renderCourse({ has_own_length: _, ...row }: CourseRow, ctx: ReadCtx) {
  return {
    ...row,
    price: moneyToWire(priceWithTax(row)),
    currency: ctx.company.currency,
    is_package: row.is_package === 1,
  };
}
