import { asc, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { read } from "#platform/operation-memory.ts";
import { employees } from "#tables/company";
import type { AssigneeQuery } from "./schema.ts";

const picker = {
  id: employees.id,
  name: employees.name,
  employee_code: employees.employeeCode,
  designation: employees.designation,
};

/** The active employees by name, all of them: what a picker shows. */
export async function listAssignees(ctx: Ctx, _params: unknown, { q }: AssigneeQuery) {
  const matching =
    q === undefined
      ? sql``
      : sql`AND instr(lower(name || ' ' || coalesce(employee_code, '')), lower(${q})) > 0`;
  const [rows] = await read(ctx, [
    ctx.db
      .select(picker)
      .from(employees)
      .where(sql`${employees.isActive} = 1 ${matching}`)
      .orderBy(asc(employees.name), asc(employees.id)),
  ]);
  return rows;
}
