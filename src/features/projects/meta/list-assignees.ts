import { sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx } from "#core/context.ts";
import { readAll } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { containsText } from "#core/sql/text-search.ts";
import { employees } from "#tables/company";
import type { AssigneeQuery } from "./schema.ts";

/** Whom work items can be assigned to. */
export const assignee = record(
  employees,
  {
    id: z.int(),
    name: z.string(),
    employee_code: z.string().nullable().describe("The company's own number for the employee."),
    designation: z.string().nullable().describe("The position in the company."),
  },
  "Assignee",
);

/** The active employees by name, all of them: what a picker shows. */
export async function listAssignees(
  ctx: CallCtx,
  _params: unknown,
  { q }: AssigneeQuery,
): Promise<RowOf<typeof assignee>[]> {
  const matching =
    q === undefined
      ? sql``
      : sql`AND ${containsText(q, [sql`${employees.name} || ' ' || coalesce(${employees.employeeCode}, '')`])}`;
  const active = sql`${employees.isActive} = 1 ${matching} ORDER BY ${employees.name}, ${employees.id}`;
  return readAll(ctx, assignee.select(active));
}
