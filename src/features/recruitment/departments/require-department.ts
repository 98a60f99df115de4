import { type SQL, sql } from "drizzle-orm";
import { refuseWhen } from "#core/write/atomic.ts";
import { departments } from "#tables/recruitment";

/** Aborts the batch with `department_gone` unless the department that is named, if one is, is there. */
export function requireDepartment(id: number | null | undefined): SQL[] {
  if (id == null) return [];
  const there = sql`SELECT 1 FROM ${departments} WHERE ${departments.id} = ${id}`;
  return [refuseWhen(sql`NOT EXISTS (${there})`, "department_gone")];
}
