import { eq, notInArray, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, type Refusals, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { ACCOUNTS, CLEARING_ACCOUNTS } from "#shared/payments/books.ts";
import { fieldProblem } from "#shared/problem.ts";
import { accounts } from "#tables/ledger";
import { payments } from "../payments/tables.ts";
import type { PaymentModeCreate, PaymentModePatch } from "./schema.ts";
import { type ModeRow, selectModes } from "./snapshot.ts";
import { paymentModes } from "./tables.ts";

/** All payment modes, inactive ones too, newest first. */
export async function listModeSettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<ModeRow>> {
  const tail = sql`${paymentModes.id} < ${idBelow(page)} ORDER BY ${paymentModes.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectModes(tail));
}

export async function getMode(ctx: CallCtx, { id }: RecordParams): Promise<ModeRow> {
  return readOne(ctx, selectModes(eq(paymentModes.id, id)));
}

export function createMode(ctx: WriteCtx, _params: unknown, body: PaymentModeCreate): Promise<ModeRow> {
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
    ACCOUNT_REFUSALS,
  );
}

export function updateMode(ctx: WriteCtx, { id }: RecordParams, patch: PaymentModePatch): Promise<ModeRow> {
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
    ACCOUNT_REFUSALS,
  );
}

/** Removes a mode that no payment, live or refunded, has; the others can be switched off. */
export function deleteMode(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.paymentModeId} = ${id})`, "in_use"),
      ctx.db.delete(paymentModes).where(eq(paymentModes.id, id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

// Of the accounts that the service posts to, those that hold money; what comes in on any other would falsify the books.
const MONEY = [ACCOUNTS.cash, ACCOUNTS.bank, ...Object.values(CLEARING_ACCOUNTS)] as const;
const OTHERS = Object.values(ACCOUNTS).filter((code) => !(MONEY as readonly string[]).includes(code));

function requireAccount(id: number | null | undefined): SQL[] {
  if (id == null) return [];
  const holdsMoney = sql`${accounts.type} <> 'income' AND ${accounts.partyId} IS NULL AND ${notInArray(accounts.code, OTHERS)}`;
  const account = sql`SELECT 1 FROM ${accounts} WHERE ${accounts.id} = ${id} AND ${accounts.deletedAt} IS NULL AND ${holdsMoney}`;
  return [refuseWhen(sql`NOT EXISTS (${account})`, "account_gone")];
}

const ACCOUNT_REFUSALS: Refusals = {
  account_gone: () =>
    fieldProblem("account_id", "not_found", "names no account, or one of income, tax or customers"),
};
