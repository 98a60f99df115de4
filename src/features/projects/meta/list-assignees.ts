import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readAll } from "#core/sql/read-records.ts";
import { containsText } from "#core/sql/text-search.ts";
import { employees } from "#tables/company";
import type { AssigneeQuery } from "./schema.ts";

const shape = {
  id: employees.id,
  name: employees.name,
  employee_code: employees.employeeCode,
  designation: employees.designation,
};
type AssigneeRow = JsonRow<typeof shape>;

/** The active employees by name, all of them: what a picker shows. */
export async function listAssignees(
  ctx: CallCtx,
  _params: unknown,
  { q }: AssigneeQuery,
): Promise<AssigneeRow[]> {
  const matching =
    q === undefined
      ? sql``
      : sql`AND ${containsText(q, [sql`${employees.name} || ' ' || coalesce(${employees.employeeCode}, '')`])}`;
  const select = sql<AssigneeRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${employees}
    WHERE ${employees.isActive} = 1 ${matching} ORDER BY ${employees.name}, ${employees.id}`;
  return readAll(ctx, select);
}
