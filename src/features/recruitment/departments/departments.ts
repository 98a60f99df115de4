import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once, selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { jobs } from "../jobs/tables.ts";
import { requireDepartment } from "./require-department.ts";
import type { DepartmentCreate, DepartmentPatch } from "./schema.ts";
import { departments } from "./tables.ts";

const shape = {
  id: departments.id,
  name: departments.name,
  parent_id: departments.parentId,
  is_active: departments.isActive,
  created_at: departments.createdAt,
  updated_at: departments.updatedAt,
};
type DepartmentRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** All departments, inactive ones too, newest first. */
export async function listDepartmentSettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<DepartmentRow>> {
  const tail = sql`${departments.id} < ${idBelow(page)} ORDER BY ${departments.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectDepartments(tail));
}

export function getDepartment(ctx: CallCtx, { id }: RecordParams): Promise<DepartmentRow> {
  return readOne(ctx, selectDepartments(eq(departments.id, id)));
}

export function createDepartment(
  ctx: WriteCtx,
  _params: unknown,
  body: DepartmentCreate,
): Promise<DepartmentRow> {
  return atomic(
    ctx,
    [
      ...requireDepartment(body.parent_id),
      ctx.db.insert(departments).values({
        operation: ctx.call.id,
        name: body.name,
        parentId: body.parent_id ?? null,
        isActive: Number(body.is_active ?? true),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectDepartments(eq(departments.operation, ctx.call.id)),
    REFUSALS,
  );
}

export function updateDepartment(
  ctx: WriteCtx,
  { id }: RecordParams,
  patch: DepartmentPatch,
): Promise<DepartmentRow> {
  return atomic(
    ctx,
    [
      ...requireDepartment(patch.parent_id),
      ...(patch.parent_id == null ? [] : [refuseWhen(isBelow(patch.parent_id, id), "parent_below")]),
      ctx.db
        .update(departments)
        .set({
          name: patch.name,
          parentId: patch.parent_id,
          isActive: patch.is_active === undefined ? undefined : Number(patch.is_active),
          updatedAt: ctx.now,
        })
        .where(eq(departments.id, id)),
      refuseIfNone("not_found"),
    ],
    selectDepartments(eq(departments.id, id)),
    REFUSALS,
  );
}

/** Removes a department that no job is in and no other is below. */
export function deleteDepartment(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  const used = sql`EXISTS (SELECT 1 FROM ${jobs} WHERE ${jobs.departmentId} = ${id})
    OR EXISTS (SELECT 1 FROM ${departments} WHERE ${departments.parentId} = ${id})`;
  return atomic(
    ctx,
    [
      refuseWhen(used, "in_use"),
      ctx.db.delete(departments).where(eq(departments.id, id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

export function renderDepartmentSettings(row: DepartmentRow) {
  return {
    ...row,
    is_active: row.is_active === 1,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

const REFUSALS = {
  department_gone: () => fieldProblem("parent_id", "not_found", "names no department"),
  parent_below: () => fieldProblem("parent_id", "cycle", "must not be the department itself or one below it"),
};

function selectDepartments(tail: SQL): SQL<DepartmentRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${departments} WHERE ${tail}`;
}

/** Whether a department is another one or stands somewhere below it. */
function isBelow(id: number, top: number): SQL {
  return sql`${top} IN (
    WITH RECURSIVE above (id) AS (
      SELECT ${id} UNION SELECT ${departments.parentId} FROM ${departments} JOIN above ON ${departments.id} = above.id
    ) SELECT id FROM above
  )`;
}
