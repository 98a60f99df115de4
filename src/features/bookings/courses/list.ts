import { and, eq, sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { products } from "#tables/products";
import type { CourseQuery } from "./schema.ts";
import { type CourseRow, isCourse, selectCourses } from "./snapshot.ts";

/** The courses, by name. */
export async function listCourses(ctx: CallCtx, _params: unknown, query: CourseQuery): Promise<CourseRow[]> {
  const where = and(
    isCourse,
    query.transmission && eq(products.transmission, query.transmission),
    query.type && eq(products.isPackage, Number(query.type === "package")),
  );
  const tail = sql`${where} ORDER BY ${products.name}, ${products.id}`;
  return readAll(ctx, selectCourses(tail));
}
