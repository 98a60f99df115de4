import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once, selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import type { SmsTemplateCreate, SmsTemplatePatch } from "./schema.ts";
import { smsTemplates } from "./tables.ts";

const shape = {
  id: smsTemplates.id,
  template_id: smsTemplates.templateId,
  text: smsTemplates.text,
  sender_id: smsTemplates.senderId,
  pe_id: smsTemplates.peId,
  created_at: smsTemplates.createdAt,
  updated_at: smsTemplates.updatedAt,
};
type TemplateRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** Registered templates, newest first. */
export async function listTemplates(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<TemplateRow>> {
  const tail = sql`${smsTemplates.id} < ${idBelow(page)} ORDER BY ${smsTemplates.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectTemplates(tail));
}

export async function getTemplate(ctx: CallCtx, { id }: RecordParams): Promise<TemplateRow> {
  return readOne(ctx, selectTemplates(eq(smsTemplates.id, id)));
}

export function createTemplate(
  ctx: WriteCtx,
  _params: unknown,
  body: SmsTemplateCreate,
): Promise<TemplateRow> {
  return atomic(
    ctx,
    [
      ctx.db.insert(smsTemplates).values({
        templateId: body.template_id,
        text: body.text,
        senderId: body.sender_id ?? null,
        peId: body.pe_id ?? null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectTemplates(eq(smsTemplates.templateId, body.template_id)),
  );
}

export function updateTemplate(
  ctx: WriteCtx,
  { id }: RecordParams,
  patch: SmsTemplatePatch,
): Promise<TemplateRow> {
  const here = eq(smsTemplates.id, id);
  return atomic(
    ctx,
    [
      ctx.db
        .update(smsTemplates)
        .set({
          templateId: patch.template_id,
          text: patch.text,
          senderId: patch.sender_id,
          peId: patch.pe_id,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectTemplates(here),
  );
}

export function deleteTemplate(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [ctx.db.delete(smsTemplates).where(eq(smsTemplates.id, id)), refuseIfNone("not_found")],
    selectId(id),
  );
}

export function renderTemplate(row: TemplateRow) {
  return {
    ...row,
    id: String(row.id),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

function selectTemplates(tail: SQL): SQL<TemplateRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${smsTemplates} WHERE ${tail}`;
}
