import { eq, type SQL, sql } from "drizzle-orm";
import { atomic, refuseIfNone, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once } from "#platform/json.ts";
import { readList, readOne } from "#platform/read-records.ts";
import { timestampToWire } from "#shared/dates.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem, type Problem } from "#shared/problem.ts";
import { accounts } from "#tables/ledger";
import type { PaymentModeCreate, PaymentModePatch, PaymentParams } from "../schema.ts";
import { paymentModes, payments } from "../tables.ts";

const shape = {
  id: paymentModes.id,
  name: paymentModes.name,
  mode_type: paymentModes.modeType,
  account_id: paymentModes.accountId,
  is_active: paymentModes.isActive,
  created_at: paymentModes.createdAt,
  updated_at: paymentModes.updatedAt,
};
type ModeRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

export async function listModeSettings(
  ctx: Ctx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<ModeRow>> {
  const tail = sql`${paymentModes.id} < ${idBelow(page)} ORDER BY ${paymentModes.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectModes(tail));
}

export async function getMode(ctx: Ctx, { id }: PaymentParams): Promise<ModeRow> {
  return readOne(ctx, selectModes(eq(paymentModes.id, id)));
}

export function createMode(ctx: Ctx, _params: unknown, body: PaymentModeCreate): Promise<ModeRow> {
  return atomic(
    ctx,
    [
      ...requireAccount(body.account_id),
      ctx.db.insert(paymentModes).values({
        name: body.name,
        modeType: body.mode_type,
        accountId: body.account_id ?? null,
        isActive: Number(body.is_active ?? true),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectModes(eq(paymentModes.name, body.name)),
    { account_gone: accountGone },
  );
}

export function updateMode(ctx: Ctx, { id }: PaymentParams, patch: PaymentModePatch): Promise<ModeRow> {
  return atomic(
    ctx,
    [
      ...requireAccount(patch.account_id),
      ctx.db
        .update(paymentModes)
        .set({
          name: patch.name,
          modeType: patch.mode_type,
          accountId: patch.account_id,
          isActive: patch.is_active === undefined ? undefined : Number(patch.is_active),
          updatedAt: ctx.now,
        })
        .where(eq(paymentModes.id, id)),
      refuseIfNone("not_found"),
    ],
    selectModes(eq(paymentModes.id, id)),
    { account_gone: accountGone },
  );
}

/** Removes a mode that no payment, live or refunded, was made by; others can be switched off. */
export function deleteMode(ctx: Ctx, { id }: PaymentParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.paymentModeId} = ${id})`, "in_use"),
      ctx.db.delete(paymentModes).where(eq(paymentModes.id, id)),
      refuseIfNone("not_found"),
    ],
    sql<{ id: number }>`SELECT json_object('id', ${id})`,
  );
}

export function renderModeSettings(row: ModeRow) {
  return {
    ...row,
    id: String(row.id),
    account_id: row.account_id === null ? null : String(row.account_id),
    is_active: row.is_active === 1,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

function selectModes(tail: SQL): SQL<ModeRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${paymentModes} WHERE ${tail}`;
}

function requireAccount(id: number | null | undefined): SQL[] {
  if (id == null) return [];
  const live = sql`SELECT 1 FROM ${accounts} WHERE ${accounts.id} = ${id} AND ${accounts.deletedAt} IS NULL`;
  return [refuseWhen(sql`NOT EXISTS (${live})`, "account_gone")];
}

function accountGone(): Problem {
  return fieldProblem("account_id", "not_found", "names no account");
}
