import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { amount, described, from, idText, internal } from "#core/sql/fields.ts";
import { readList } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { UNPOSTED_REASONS } from "#shared/payments/posting-warnings.ts";
import { bookings, lessonReceipts } from "#tables/bookings";
import { advances, gatewayCaptures } from "#tables/captures";
import { creditNotes, creditPayouts } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { unposted } from "#tables/ledger";
import { lessonEarnings, lessonSales } from "#tables/lessons";
import { payments } from "#tables/payments";
import { gatewayRefunds } from "#tables/refunds";

const credited = alias(invoices, "credited");

/** A document without a journal entry. */
export const document = record(
  unposted,
  {
    id: internal(unposted.id),
    source_type: z
      .enum([
        "invoice",
        "payment",
        "advance",
        "credit_note",
        "credit_payout",
        "gateway_refund",
        "lesson_receipt",
        "lesson",
      ])
      .describe(
        "`advance`: money of a gateway that went into Customer Advances, or was settled by hand. Its number is the gateway's of the payment. `credit_payout`: money of a credit note that was paid back. `gateway_refund`: money that went back through a gateway; its number is the gateway's of the payment. `lesson_receipt`: the receipt of a lesson. `lesson`: what a lesson earned, by its booking.",
      ),
    source_id: idText,
    number: from(
      sql<string>`coalesce(${invoices.invoiceNumber}, ${payments.paymentNumber}, ${gatewayCaptures.gatewayPaymentId},
      ${creditNotes.creditNoteNumber}, ${lessonReceipts.receiptNumber}, ${bookings.bookingNumber}, 'Package ' || ${lessonSales.packageId})`,
      z.string().describe("Of the document, or the gateway's of the payment."),
    ),
    date: from(
      sql<string>`coalesce(${invoices.invoiceDate}, ${payments.paymentDate}, ${advances.entryDate},
      ${gatewayRefunds.entryDate},
      ${creditPayouts.payoutDate}, ${creditNotes.noteDate}, ${lessonReceipts.receiptDate}, ${lessonEarnings.entryDate})`,
      z.string().describe("Of the document."),
    ),
    amount: from(
      sql<number>`coalesce(${invoices.totalAmount}, ${payments.amount}, ${advances.amount}, ${gatewayRefunds.amount}, ${creditPayouts.amount},
      ${creditNotes.totalAmount}, ${lessonReceipts.amount}, ${lessonEarnings.amount})`,
      described(amount, "What the entry would be of."),
    ),
    currency: from(
      sql<string>`coalesce(${invoices.currency}, ${payments.currency}, ${gatewayCaptures.currency}, ${credited.currency},
      ${lessonReceipts.currency})`,
      z.string(),
    ),
    reason: z.enum(UNPOSTED_REASONS).meta({ description: "The reason why the journal entry was left out." }),
  },
  "UnpostedDocument",
);
type UnpostedRow = Omit<RowOf<typeof document>, "currency"> & { currency: string | null };

export const unpostedRoutes = new Router("Ledger", "/unposted").list({ listUnposted }, "/", {
  summary: "List documents without a journal entry",
  description:
    "Valid invoices, credit notes and payments, advances, receipts of lessons and what lessons earned, whose journal entry was left out. Newest first, with the reason. What waits for an exchange rate, an account or a lock is posted by itself once that has gone, or with `POST /ledger/{company}/post-missing`.",
  record: {
    schema: document.schema,
    // What a lesson earned of a receipt is in the currency of the books.
    render: (row, { company }) => document.render({ ...row, currency: row.currency ?? company.currency }),
  },
});

/** Live invoices and payments, and advances, whose journal entry was left out, newest first. */
async function listUnposted(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<UnpostedRow>> {
  const select = sql<UnpostedRow>`SELECT ${document.columns()} AS snapshot FROM ${unposted}
    LEFT JOIN ${invoices} ON ${unposted.sourceType} = 'invoice' AND ${invoices.id} = ${unposted.sourceId}
    LEFT JOIN ${payments} ON ${unposted.sourceType} = 'payment' AND ${payments.id} = ${unposted.sourceId}
    LEFT JOIN ${advances} ON ${unposted.sourceType} = 'advance' AND ${advances.id} = ${unposted.sourceId}
    LEFT JOIN ${gatewayRefunds} ON ${unposted.sourceType} = 'gateway_refund' AND ${gatewayRefunds.id} = ${unposted.sourceId}
    LEFT JOIN ${gatewayCaptures} ON ${gatewayCaptures.id} = coalesce(${advances.captureId}, ${gatewayRefunds.captureId})
    LEFT JOIN ${creditPayouts} ON ${unposted.sourceType} = 'credit_payout' AND ${creditPayouts.id} = ${unposted.sourceId}
    LEFT JOIN ${creditNotes} ON ${creditNotes.id} = iif(${unposted.sourceType} = 'credit_note', ${unposted.sourceId},
      ${creditPayouts.creditNoteId})
    LEFT JOIN ${lessonReceipts} ON ${unposted.sourceType} = 'lesson_receipt' AND ${lessonReceipts.id} = ${unposted.sourceId}
    LEFT JOIN ${lessonEarnings} ON ${unposted.sourceType} = 'lesson' AND ${lessonEarnings.id} = ${unposted.sourceId}
    LEFT JOIN ${lessonSales} ON ${lessonSales.id} = ${lessonEarnings.saleId}
    LEFT JOIN ${invoices} AS ${credited} ON ${credited.id} = coalesce(${creditNotes.invoiceId}, ${lessonSales.invoiceId})
    LEFT JOIN ${bookings} ON ${bookings.id} = ${lessonEarnings.bookingId}
    WHERE ${unposted.id} < ${idBelow(page)} ORDER BY ${unposted.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, select);
}
