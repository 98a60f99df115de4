import { and, eq, ne, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { selectId } from "#core/sql/json.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { type ReversalDate, reversalDay, reverseEntries, TOO_EARLY } from "#features/ledger";
import { takeBackReturned } from "#features/products";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { bookings } from "#tables/bookings";
import { profile } from "#tables/company";
import { creditNotes } from "#tables/credit-notes";
import { lessonSales } from "#tables/lessons";

/**
 * Voids a note of which nothing was used but for its own invoice: its entry is reversed, the goods that it returned are
 * taken out of stock, and triggers take back what it credited. The number stays used.
 */
export function voidCreditNote(
  ctx: WriteCtx,
  { id }: RecordParams,
  asked: ReversalDate,
): Promise<{ id: number }> {
  const { day, there, held } = reversalDay(ctx, asked, creditNotes.noteDate, eq(creditNotes.id, id));
  const allowNegative = sql<number>`(SELECT ${profile.allowNegativeStock} FROM ${profile})`;
  return atomic(
    ctx,
    [
      there,
      ctx.db
        .update(creditNotes)
        .set({ status: "voided", voidedAt: ctx.now, updatedAt: ctx.now })
        .where(and(eq(creditNotes.id, id), ne(creditNotes.status, "voided"))),
      refuseIfNone("credit_note_voided"),
      refuseWhen(sql`EXISTS (${refundedLesson(id)})`, "invalid_status"),
      ...held,
      ...reverseEntries(ctx, [{ sourceType: "credit_note", ids: sql`${id}` }], day),
      takeBackReturned(ctx, "credit_note", id, allowNegative),
    ],
    selectId(id),
    {
      ...TOO_EARLY,
      invalid_status: () => new Problem("credit_in_use"),
    },
  );
}

/** The lesson of a note's invoice whose money was given back: the notes say so. */
function refundedLesson(id: number) {
  const { bookingId, invoiceId, endedBy } = lessonSales;
  return sql`SELECT 1 FROM ${lessonSales} JOIN ${bookings} ON ${bookings.id} = ${bookingId} AND ${endedBy} IS NULL
    WHERE ${bookings.paymentStatus} = 'refunded'
      AND ${invoiceId} = (SELECT ${creditNotes.invoiceId} FROM ${creditNotes} WHERE ${creditNotes.id} = ${id})`;
}
