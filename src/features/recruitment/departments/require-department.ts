import { type SQL, sql } from "drizzle-orm";
import { requireReferred } from "#core/write/atomic.ts";
import { departments } from "#tables/recruitment";

/** Aborts the batch with `department_gone` unless the department that is named, if one is, is there. */
export function requireDepartment(id: number | null | undefined): SQL[] {
  const there = sql`SELECT 1 FROM ${departments} WHERE ${departments.id} = ${id}`;
  return requireReferred(id, there, "department_gone");
}
