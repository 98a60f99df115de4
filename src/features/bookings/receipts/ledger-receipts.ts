import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { amount, described, flag, from, idText, instant, percentage } from "#core/sql/fields.ts";
import { datedIn, readRange, within } from "#core/sql/narrowed.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import {
  postedFields,
  REVERSAL,
  REVERSAL_REFUSALS,
  type ReversalDate,
  reversalDay,
  reverseEntries,
} from "#features/ledger";
import { removedEarnings } from "#features/lessons";
import type { RecordParams } from "#shared/fields/ids.ts";
import { DayQuery } from "#shared/fields/list-filters.ts";
import type { Listed, Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { bookingPackages, bookings, lessonReceipts } from "#tables/bookings";

const ReceiptQuery = DayQuery.extend({
  refunded_from: isoDate.optional().meta({ description: "The first `refund_date`, inclusive." }),
  refunded_to: isoDate.optional().meta({ description: "The last `refund_date`, inclusive." }),
});
type ReceiptQuery = z.infer<typeof ReceiptQuery>;

/** A receipt of money for a lesson, and the voucher of its refund. */
const receipt = record(
  lessonReceipts,
  {
    id: idText,
    receipt_number: z.string(),
    is_voucher: described(flag, "A receipt voucher, of a company that charges tax (CGST Rules, 50)."),
    booking_id: z.string(),
    customer_id: idText,
    receipt_date: z.string(),
    item_name: z.string(),
    hsn_sac_code: z.string().nullable(),
    place_of_supply_code: z.string().nullable(),
    currency: z.string(),
    tax_rate: percentage,
    taxable_amount: amount,
    cgst_amount: amount,
    sgst_amount: described(amount, "Or UTGST, in a union territory."),
    igst_amount: amount,
    amount: described(amount, "With tax."),
    gateway: z.string().nullable().describe("Null where staff took it."),
    payment_mode_id: z.int().nullable(),
    has_ended: from(
      sql<0 | 1>`${lessonReceipts.endedBy} IS NOT NULL`,
      described(flag, "It was paid back, invoiced or taken back."),
    ),
    refund_number: z.string().nullable().describe("Of the refund voucher (CGST Rules, 51)."),
    refund_date: z.string().nullable(),
    ...postedFields(
      "lesson_receipt",
      lessonReceipts.id,
      "The entry that posts it; null while there is none.",
      "When it was taken back as a mistake; null otherwise.",
    ),
    created_at: instant,
  },
  "Receipt",
);
type ReceiptRow = RowOf<typeof receipt>;

/** Receipts of lessons: a part of the ledger to its clients. */
export const receiptRoutes = new Router("Ledger", "/receipts", { record: receipt })
  .list({ listReceipts }, "/", {
    summary: "List receipt and refund vouchers",
    description:
      "The receipts of lessons that have no invoice, newest first, each with the voucher of its refund, if there is one.",
    query: ReceiptQuery,
    sort: (row) => [row.receipt_date, row.refund_date, row.created_at, row.id],
  })
  .post({ reverseReceipt }, "/:id/reverse", {
    ...REVERSAL,
    changes: ["booking"],
    summary: "Take a receipt back",
    description:
      "One of money that staff recorded by mistake, while it stands: its entry and what its lesson had earned are reversed, and the booking is unpaid. No money was given back, so there is no refund voucher. Not where a package was bought: mark its money as refunded.",
    problems: [...REVERSAL.problems, "invalid_status"],
  });

/** Receipts: newest first, or by their days or those of their refunds. */
function listReceipts(
  ctx: CallCtx,
  _params: unknown,
  { page, refunded_from: first, refunded_to: last, ...days }: ReceiptQuery & { page: Page },
): Promise<Listed<ReceiptRow>> {
  const { receiptDate, refundDate, createdAt: second } = lessonReceipts;
  const refunded = datedIn(
    { column: refundDate, second, place: 1, name: "refunded" },
    { from: first, to: last },
  );
  const received = datedIn({ column: receiptDate, second }, days);
  const also = refunded && received && within(received);
  return readRange(ctx, page, receipt, refunded ?? received, also);
}

/** Takes a receipt back once: its booking is unpaid. */
function reverseReceipt(ctx: WriteCtx, { id }: RecordParams, asked: ReversalDate): Promise<ReceiptRow> {
  const here = eq(lessonReceipts.id, id);
  const { receiptDate, bookingId, gateway, endedBy } = lessonReceipts;
  const { day, there, held } = reversalDay(ctx, asked, receiptDate, here);
  const booking = sql`(SELECT ${bookingId} FROM ${lessonReceipts} WHERE ${here})`;
  const stays = sql`SELECT 1 FROM ${lessonReceipts} WHERE ${here} AND (${gateway} IS NOT NULL
    OR EXISTS (SELECT 1 FROM ${bookingPackages} WHERE ${bookingPackages.bookingId} = ${bookingId}))`;
  return atomic(
    ctx,
    [
      there,
      ctx.db
        .update(lessonReceipts)
        .set({ endedBy: ctx.call.id, reversedAt: ctx.now })
        .where(and(here, isNull(endedBy))),
      refuseIfNone("entry_reversed"),
      refuseWhen(sql`EXISTS (${stays})`, "invalid_status"),
      ctx.db
        .update(bookings)
        .set({ paymentStatus: "unpaid", paidAt: null, updatedAt: ctx.now })
        .where(
          and(sql`${bookings.id} = ${booking}`, inArray(bookings.paymentStatus, ["paid", "refund_due"])),
        ),
      ...held,
      ...reverseEntries(ctx, [{ sourceType: "lesson_receipt", ids: sql`${id}` }, removedEarnings(ctx)], day),
    ],
    receipt.select(here),
    {
      ...REVERSAL_REFUSALS,
      invalid_status: () =>
        new Problem("invalid_status", { message: "Its money came through a gateway, or bought a package" }),
    },
  );
}
