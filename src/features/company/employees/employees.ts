import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once, selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { Erasure } from "#platform/write/erasures.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { workItems } from "#tables/projects";
import type { EmployeeCreate, EmployeePatch } from "./schema.ts";
import { employees } from "./tables.ts";

const shape = {
  id: employees.id,
  name: employees.name,
  employee_code: employees.employeeCode,
  designation: employees.designation,
  is_active: employees.isActive,
  created_at: employees.createdAt,
  updated_at: employees.updatedAt,
};
type EmployeeRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** All employees, inactive ones too, newest first. */
export async function listEmployees(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<EmployeeRow>> {
  const tail = sql`${employees.id} < ${idBelow(page)} ORDER BY ${employees.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectEmployees(tail));
}

export function getEmployee(ctx: CallCtx, { id }: RecordParams): Promise<EmployeeRow> {
  return readOne(ctx, selectEmployees(eq(employees.id, id)));
}

export function createEmployee(ctx: WriteCtx, _params: unknown, body: EmployeeCreate): Promise<EmployeeRow> {
  return atomic(
    ctx,
    [
      ctx.db.insert(employees).values({
        operation: ctx.call.id,
        name: body.name,
        employeeCode: body.employee_code ?? null,
        designation: body.designation ?? null,
        isActive: Number(body.is_active ?? true),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectEmployees(eq(employees.operation, ctx.call.id)),
  );
}

export function updateEmployee(
  ctx: WriteCtx,
  { id }: RecordParams,
  patch: EmployeePatch,
): Promise<EmployeeRow> {
  const here = eq(employees.id, id);
  return atomic(
    ctx,
    [
      ctx.db
        .update(employees)
        .set({
          name: patch.name,
          employeeCode: patch.employee_code,
          designation: patch.designation,
          isActive: patch.is_active === undefined ? undefined : Number(patch.is_active),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectEmployees(here),
  );
}

/** Removes an employee that no work is assigned to; others can be made inactive. */
export function deleteEmployee(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`EXISTS (SELECT 1 FROM ${workItems} WHERE ${workItems.assignedTo} = ${id})`, "in_use"),
      ctx.db.delete(employees).where(eq(employees.id, id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

export function renderEmployee(row: EmployeeRow) {
  return {
    ...row,
    is_active: row.is_active === 1,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

function selectEmployees(tail: SQL): SQL<EmployeeRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${employees} WHERE ${tail}`;
}

/** Erases again the employees that were deleted; what was their work once is nobody's. */
export const employeeErasure: Erasure = {
  action: "deleteEmployee",
  tables: [employees],
  left: (given) => sql`SELECT record FROM ${given} JOIN ${employees}
    ON ${employees.id} = CAST(record AS INTEGER) AND ${employees.createdAt} <= at`,
  erase: (left) => [
    sql`DELETE FROM ${employees} WHERE ${employees.id} IN (SELECT CAST(record AS INTEGER) FROM (${left}))`,
  ],
};
