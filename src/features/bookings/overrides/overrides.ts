import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once, selectId } from "#core/sql/json.ts";
import { readListOf, readOne } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { renderAffected, type WithAffected, withAffected } from "../instructors/affected-lessons.ts";
import { instructors } from "../instructors/tables.ts";
import type { OverrideCreate, OverrideParams } from "./schema.ts";
import { instructorOverrides } from "./tables.ts";

const shape = {
  id: instructorOverrides.id,
  instructor_id: instructorOverrides.instructorId,
  date: instructorOverrides.date,
  is_available: instructorOverrides.isAvailable,
  start: instructorOverrides.startMinute,
  end: instructorOverrides.endMinute,
  note: instructorOverrides.note,
  created_at: instructorOverrides.createdAt,
};
type OverrideRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** An instructor's overrides, newest first. */
export async function listOverrides(
  ctx: CallCtx,
  { id }: RecordParams,
  { page }: { page: Page },
): Promise<Listed<OverrideRow>> {
  const { id: overrideId, instructorId } = instructorOverrides;
  const tail = sql`${instructorId} = ${id} AND ${overrideId} < ${idBelow(page)}
    ORDER BY ${overrideId} DESC LIMIT ${page.take}`;
  return readListOf(ctx, selectInstructor(id), page, selectOverrides(tail));
}

export async function getOverride(ctx: CallCtx, params: OverrideParams): Promise<OverrideRow> {
  return readOne(ctx, selectOverrides(here(params)));
}

/** Adds a date that differs from the week, and returns the lessons of that date which it affects. */
export function createOverride(
  ctx: WriteCtx & OutsideCtx,
  { id }: RecordParams,
  body: OverrideCreate,
): Promise<WithAffected<OverrideRow>> {
  const made = selectOverrides(eq(instructorOverrides.operation, ctx.call.id));
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (${selectInstructor(id)})`, "not_found"),
      ctx.db.insert(instructorOverrides).values({
        operation: ctx.call.id,
        instructorId: id,
        date: body.date,
        isAvailable: Number(body.is_available),
        startMinute: body.start,
        endMinute: body.end,
        note: body.note,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    withAffected(ctx, id, made, body.date),
  );
}

/** Removes it, and returns the coming lessons that do not fit the instructor's week, which applies again. */
export function deleteOverride(
  ctx: WriteCtx & OutsideCtx,
  params: OverrideParams,
): Promise<WithAffected<{ id: number }>> {
  return atomic(
    ctx,
    [ctx.db.delete(instructorOverrides).where(here(params)), refuseIfNone("not_found")],
    withAffected(ctx, params.id, selectId(params.override_id)),
  );
}

export function renderOverride(row: WithAffected<OverrideRow>) {
  return {
    ...row,
    ...renderAffected(row),
    is_available: row.is_available === 1,
    start: row.start === null ? null : clockTimeToWire(row.start),
    end: row.end === null ? null : clockTimeToWire(row.end),
    created_at: timestampToWire(row.created_at),
  };
}

function selectInstructor(id: number): SQL {
  return sql`SELECT 1 FROM ${instructors} WHERE ${instructors.id} = ${id} AND ${instructors.deletedAt} IS NULL`;
}

function here({ id, override_id: overrideId }: OverrideParams): SQL {
  return sql`${and(eq(instructorOverrides.id, overrideId), eq(instructorOverrides.instructorId, id))}`;
}

function selectOverrides(tail: SQL): SQL<OverrideRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${instructorOverrides} WHERE ${tail}`;
}
