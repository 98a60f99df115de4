import { and, type Column, eq, isNull, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { selectId } from "#core/sql/json.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { advanceRemoved } from "#features/captures";
import { hasCreditNotes, raiseAmountDue } from "#features/invoices";
import { reverseEntries } from "#features/ledger";
import type { RecordParams } from "#shared/fields/ids.ts";
import { payments } from "./tables.ts";

/**
 * Takes a payment back in full: it is removed, its entry reversed, and the invoice is due again. Triggers refuse one of a
 * gateway whose money went back.
 */
export function refundPayment(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  const stored = (column: Column) =>
    sql<number>`(SELECT ${column} FROM ${payments} WHERE ${payments.id} = ${id})`;
  return atomic(
    ctx,
    [
      ctx.db
        .update(payments)
        .set({ deletedAt: ctx.now, removedBy: ctx.call.id, updatedAt: ctx.now })
        .where(and(eq(payments.id, id), isNull(payments.deletedAt))),
      refuseIfNone("not_found"),
      raiseAmountDue(ctx, stored(payments.invoiceId), {
        amount: stored(payments.amount),
        tdsAmount: stored(payments.tdsAmount),
      }),
      ...reverseEntries(ctx, [{ sourceType: "payment", ids: sql`${id}` }]),
      ...advanceRemoved(ctx),
    ],
    selectId(id),
    {
      has_credit_notes: () =>
        hasCreditNotes(ctx, stored(payments.invoiceId), "Credit notes of its invoice gave the money back"),
    },
  );
}
