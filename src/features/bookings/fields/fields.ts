import { eq, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { FieldCreate, FieldPatch } from "./schema.ts";
import { type FieldRow, selectFields } from "./snapshot.ts";
import { instructorFields } from "./tables.ts";

/** All instructor fields, newest first. */
export async function listFieldSettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<FieldRow>> {
  const { id } = instructorFields;
  const tail = sql`${id} < ${idBelow(page)} ORDER BY ${id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectFields(tail));
}

export async function getField(ctx: CallCtx, { id }: RecordParams): Promise<FieldRow> {
  return readOne(ctx, selectFields(eq(instructorFields.id, id)));
}

export function createField(ctx: WriteCtx, _params: unknown, body: FieldCreate): Promise<FieldRow> {
  return atomic(
    ctx,
    [
      ctx.db.insert(instructorFields).values({
        operation: ctx.call.id,
        key: body.key,
        label: body.label,
        type: body.type,
        options: body.options ? JSON.stringify(body.options) : null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectFields(eq(instructorFields.operation, ctx.call.id)),
  );
}

/** Changes label and options; key and type stay, since instructors have values under them. */
export function updateField(ctx: WriteCtx, { id }: RecordParams, patch: FieldPatch): Promise<FieldRow> {
  return atomic(
    ctx,
    [
      ctx.db
        .update(instructorFields)
        .set({
          label: patch.label,
          options: patch.options && JSON.stringify(patch.options),
          updatedAt: ctx.now,
        })
        .where(eq(instructorFields.id, id)),
      refuseIfNone("not_found"),
    ],
    selectFields(eq(instructorFields.id, id)),
  );
}

export function deleteField(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [ctx.db.delete(instructorFields).where(eq(instructorFields.id, id)), refuseIfNone("not_found")],
    selectId(id),
  );
}
