import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { selectId } from "#platform/sql/json.ts";
import { readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { paymentModes } from "#tables/payments";
import { journalLines } from "../entries/tables.ts";
import type { AccountCreate, AccountPatch } from "./schema.ts";
import { type AccountRow, selectAccounts } from "./snapshot.ts";
import { accounts } from "./tables.ts";

export async function getAccount(ctx: CallCtx, { id }: RecordParams): Promise<AccountRow> {
  return readOne(ctx, selectAccounts(eq(accounts.id, id)));
}

export function createAccount(ctx: WriteCtx, _params: unknown, body: AccountCreate): Promise<AccountRow> {
  return atomic(
    ctx,
    [
      ctx.db.insert(accounts).values({
        code: body.code,
        name: body.name,
        type: body.type,
        isActive: Number(body.is_active ?? true),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectAccounts(eq(accounts.code, body.code)),
    { "accounts.code": () => new Problem("conflict", { message: `The code ${body.code} is taken` }) },
  );
}

/** Renames an account or switches it on or off; a customer's account keeps the customer's name. */
export function updateAccount(ctx: WriteCtx, { id }: RecordParams, patch: AccountPatch): Promise<AccountRow> {
  const isActive = patch.is_active === undefined ? undefined : Number(patch.is_active);
  const isOfCustomer = sql`EXISTS (SELECT 1 FROM ${accounts} WHERE ${here(id)} AND ${accounts.partyId} IS NOT NULL)`;
  return atomic(
    ctx,
    [
      ...(patch.name === undefined ? [] : [refuseWhen(isOfCustomer, "in_use")]),
      ctx.db.update(accounts).set({ name: patch.name, isActive, updatedAt: ctx.now }).where(here(id)),
      refuseIfNone("not_found"),
    ],
    selectAccounts(eq(accounts.id, id)),
    { in_use: () => new Problem("in_use", { message: "A customer's account has the customer's name" }) },
  );
}

/** Takes an account out of the chart; refused for the service's own, a customer's, and any that was ever used. */
export function deleteAccount(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  const used = sql`EXISTS (
    SELECT 1 FROM ${accounts} WHERE ${here(id)} AND (
      ${accounts.isSystem} = 1 OR ${accounts.partyId} IS NOT NULL
      OR EXISTS (SELECT 1 FROM ${journalLines} WHERE ${journalLines.accountId} = ${id})
      OR EXISTS (SELECT 1 FROM ${paymentModes} WHERE ${paymentModes.accountId} = ${id})
    )
  )`;
  return atomic(
    ctx,
    [refuseWhen(used, "in_use"), ctx.db.delete(accounts).where(here(id)), refuseIfNone("not_found")],
    selectId(id),
  );
}

function here(id: number): SQL | undefined {
  return and(eq(accounts.id, id), isNull(accounts.deletedAt));
}
