import { and, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { selectId } from "#core/sql/json.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { advanceRemoved } from "#features/captures";
import { hasCreditNotes, raiseAmountDue } from "#features/invoices";
import { REVERSAL_REFUSALS, type ReversalDate, reversalDay, reverseEntries } from "#features/ledger";
import type { RecordParams } from "#shared/fields/ids.ts";
import { payments } from "#tables/payments";

/**
 * The statements that remove the payments of an invoice that a condition finds: it is due again. The last changes no row
 * where none is found.
 */
export function takeBackPayments(ctx: WriteCtx, which: SQL): SQLWrapper[] {
  const removed = (value: SQL) =>
    sql<number>`(SELECT ${value} FROM ${payments} WHERE ${payments.removedBy} = ${ctx.call.id})`;
  return [
    ctx.db
      .update(payments)
      .set({ deletedAt: ctx.now, removedBy: ctx.call.id, updatedAt: ctx.now })
      .where(and(which, isNull(payments.deletedAt))),
    raiseAmountDue(ctx, removed(sql`max(${payments.invoiceId})`), {
      amount: removed(sql`sum(${payments.amount})`),
      tdsAmount: removed(sql`sum(${payments.tdsAmount})`),
    }),
  ];
}

/**
 * Takes a payment back in full: it is removed, its entry reversed, and the invoice is due again. Triggers refuse one of a
 * gateway whose money went back.
 */
export function refundPayment(
  ctx: WriteCtx,
  { id }: RecordParams,
  asked: ReversalDate,
): Promise<{ id: number }> {
  const { day, held } = reversalDay(ctx, asked, payments.paymentDate, eq(payments.id, id));
  const invoiceId = sql`(SELECT ${payments.invoiceId} FROM ${payments} WHERE ${payments.id} = ${id})`;
  return atomic(
    ctx,
    [
      ...takeBackPayments(ctx, eq(payments.id, id)),
      refuseIfNone("not_found"),
      ...held,
      ...reverseEntries(ctx, [{ sourceType: "payment", ids: sql`${id}` }], day),
      ...advanceRemoved(ctx, day),
    ],
    selectId(id),
    {
      ...REVERSAL_REFUSALS,
      has_credit_notes: () =>
        hasCreditNotes(ctx, invoiceId, "Credit notes of its invoice gave the money back"),
    },
  );
}
