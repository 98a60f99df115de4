import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readAll } from "#core/sql/read-records.ts";
import { products } from "#tables/products";
import type { CourseQuery } from "./schema.ts";
import { type CourseRow, isCourse, selectCourses } from "./snapshot.ts";

/** The courses, by name. */
export async function listCourses(ctx: CallCtx, _params: unknown, query: CourseQuery): Promise<CourseRow[]> {
  return readAll(
    ctx,
    selectCoursesBy(
      and(
        isCourse,
        query.transmission && eq(products.transmission, query.transmission),
        query.type && eq(products.isPackage, Number(query.type === "package")),
      ),
    ),
  );
}

/** The SELECT of the courses, by name. */
export function selectCoursesBy(where: SQL = isCourse): SQL<CourseRow> {
  return selectCourses(sql`${where} ORDER BY ${products.name}, ${products.id}`);
}
