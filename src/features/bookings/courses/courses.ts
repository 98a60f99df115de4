import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { added, described, flag, from, internal } from "#core/sql/fields.ts";
import { readAll } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { isTaxed, priceWithTax } from "#features/products";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { bookingSettings } from "#tables/bookings";
import { products } from "#tables/products";

const asked = alias(products, "asked_product");
const slotLength = sql`(SELECT ${bookingSettings.slotLengthMinutes} FROM ${bookingSettings})`;

/** A product that can be taught: active, with a transmission. A lesson without a length has that of a slot, or of its booking. */
export const course = record(
  products,
  {
    id: z.int(),
    name: z.string(),
    price: added(
      moneyOnWire.meta({ description: "The price of a booking, with tax." }),
      (row: Parameters<typeof priceWithTax>[0], { company }: Pick<ReadCtx, "company">) =>
        moneyToWire(priceWithTax(row, company.country)),
    ),
    currency: added(z.string(), (_row: unknown, { company }: Pick<ReadCtx, "company">) => company.currency),
    duration_minutes: from(
      sql<number>`coalesce(${products.durationMinutes}, ${slotLength})`,
      z.int().meta({ description: "The course's length, else the default slot length." }),
    ),
    transmission: from(sql<"auto" | "manual">`${products.transmission}`, z.enum(["auto", "manual"])),
    is_package: described(flag, "Whether several lessons are sold as one."),
    sessions: z.int().nullable().meta({ description: "The number of lessons in a package." }),
    product_type: z.string(),
    selling_price: internal<number>(),
    tax_rate: internal<number>(),
    price_includes_tax: internal<number>(),
    is_taxed: internal(isTaxed),
    has_own_length: from(sql<number>`${products.durationMinutes} IS NOT NULL`, internal<number>()),
    lesson_product_id: internal<number | null>(),
  },
  "Course",
);
export type CourseRow = RowOf<typeof course>;

// Literal text: with bound values the database could not use its index of courses.
const isCourse = sql`${products.status} = 'active' AND ${products.transmission} IS NOT NULL
  AND (${products.durationMinutes} IS NOT NULL OR ${products.isPackage} = 0)`;

const query = z.object({
  transmission: z.enum(["auto", "manual"]).optional(),
  type: z.enum(["lesson", "package"]).optional(),
});

export const courseRoutes = new Router("Bookings", "/courses").all({ listCourses }, "/", {
  summary: "List courses",
  description: "Active products with a length and a transmission, by name.",
  keys: "any",
  query,
  record: course,
  envelope: { success: "courses" },
  cacheControl: "private, max-age=60",
});

/** The courses, by name. */
async function listCourses(
  ctx: CallCtx,
  _params: unknown,
  { transmission, type }: z.infer<typeof query>,
): Promise<CourseRow[]> {
  const wanted = and(
    isCourse,
    transmission && eq(products.transmission, transmission),
    type && eq(products.isPackage, Number(type === "package")),
  );
  return readAll(ctx, selectCoursesBy(wanted));
}

/** The SELECT of the courses, by name. */
export function selectCoursesBy(where: SQL = isCourse): SQL<CourseRow> {
  return course.select(sql`${where} ORDER BY ${products.name}, ${products.id}`);
}

/** One course as JSON, or null. */
export function courseJson(id: number | SQL): SQL<CourseRow | null> {
  return sql`json((SELECT ${course.columns()} FROM ${products} WHERE ${products.id} = ${id} AND ${isCourse}))`;
}

/** What a course begins with, where it is a package: its lesson as JSON, or null. */
export function lessonJson(id: SQL): SQL<CourseRow | null> {
  return courseJson(sql`(SELECT ${asked.lessonProductId} FROM ${products} AS ${asked}
    WHERE ${asked.id} = ${id} AND ${asked.isPackage} = 1)`);
}
