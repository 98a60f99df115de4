import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { CallCtx } from "#core/context.ts";
import { amount, described, from, idText, instant, internal, nullable } from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { readList } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { freeCredit, uncovered } from "#features/credit-notes";
import type { Listed, Page } from "#shared/page.ts";
import { bookings } from "#tables/bookings";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { paymentIntents } from "#tables/gateway-payments";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { payments } from "#tables/payments";
import { gatewayRefunds } from "#tables/refunds";
import { salesOrders } from "#tables/storefront";

const same = alias(creditNotes, "same");
const { id, intentId, advanceAmount, outcome, receivedAt } = gatewayCaptures;

const KINDS = ["order", "booking", "capture", "credit_note"] as const;
type Kind = (typeof KINDS)[number];

/** Money that is due back, which `POST /refunds` sends. */
export const dueBack = record(
  gatewayCaptures,
  {
    kind: from(sql<Kind>`kind`, z.enum(KINDS).meta({ description: "What to name in `POST /refunds`." })),
    ref_id: from(
      sql<string>`ref_id`,
      z.string().meta({ description: "The id of the order, booking, capture or credit note." }),
    ),
    number: from(
      sql<string>`number`,
      z.string().meta({
        description: "The number of the order, booking or credit note, or the gateway's id of the payment.",
      }),
    ),
    customer_id: from(sql<number | null>`customer_id`, nullable(idText)),
    capture_id: from(
      sql<number | null>`capture_id`,
      described(nullable(idText), "The oldest capture that holds it."),
    ),
    amount: from(sql<number>`amount`, amount),
    currency: from(sql<string>`currency`, z.string()),
    since: from(sql<number>`since`, described(instant, "When it became due.")),
    since_ms: from(sql<number>`since`, internal<number>()),
  },
  "DueBack",
);
type DueRow = RowOf<typeof dueBack>;

// Orders whose buyers are owed money: what waits of their captures, and unused credit of their invoices.
const orders = once(
  () => sql`SELECT 'order' AS kind, CAST(${salesOrders.id} AS TEXT) AS ref_id, ${salesOrders.orderNumber} AS number,
    ${salesOrders.customerId} AS customer_id, min(iif(${advanceAmount} > 0, ${id}, NULL)) AS capture_id,
    coalesce(sum(${advanceAmount}), 0) + coalesce((SELECT max(0, sum(${creditNotes.unappliedAmount}) - max(${uncovered})) FROM ${creditNotes}
      WHERE ${creditNotes.invoiceId} = ${salesOrders.invoiceId}), 0) AS amount,
    ${salesOrders.currency} AS currency, ${salesOrders.updatedAt} AS since
  FROM ${salesOrders} LEFT JOIN ${paymentIntents} ON ${paymentIntents.kind} = 'order'
    AND ${paymentIntents.refId} = CAST(${salesOrders.id} AS TEXT)
  LEFT JOIN ${gatewayCaptures} ON ${intentId} = ${paymentIntents.id}
  WHERE ${salesOrders.needsRefund} = 1 GROUP BY ${salesOrders.id}`,
);
// Bookings whose money is due back, as far as it came through a gateway, is not on its way, and went back by no credit note.
const lessons = once(
  () => sql`SELECT 'booking' AS kind, ${bookings.id} AS ref_id, ${bookings.bookingNumber} AS number,
    ${bookings.customerId} AS customer_id, min(${id}) AS capture_id,
    sum(max(0, ${gatewayCaptures.amount} - ${gatewayCaptures.settledAmount} - (SELECT coalesce(sum(${gatewayRefunds.amount}), 0)
      FROM ${gatewayRefunds} WHERE ${gatewayRefunds.captureId} = ${id} AND ${gatewayRefunds.status} <> 'failed')))
      - (SELECT coalesce(sum(used), 0) FROM used_credit_of_bookings WHERE booking_id = ${bookings.id}) AS amount,
    ${bookings.currency} AS currency,
    ${bookings.updatedAt} AS since
  FROM ${bookings} JOIN ${paymentIntents} ON ${paymentIntents.kind} = 'booking' AND ${paymentIntents.refId} = ${bookings.id}
  JOIN ${gatewayCaptures} ON ${intentId} = ${paymentIntents.id}
  WHERE ${bookings.paymentStatus} = 'refund_due' GROUP BY ${bookings.id}`,
);
// Money that came twice, wrongly, too late or for nothing, or above what an invoice was due, and is of no such order or booking.
const strays = once(
  () => sql`SELECT 'capture' AS kind, CAST(${id} AS TEXT) AS ref_id, ${gatewayCaptures.gatewayPaymentId} AS number,
    ${gatewayCaptures.customerId} AS customer_id, ${id} AS capture_id, ${advanceAmount} AS amount,
    ${gatewayCaptures.currency} AS currency, ${receivedAt} AS since
  FROM ${gatewayCaptures}
  WHERE ${gatewayCaptures.amount} > ${gatewayCaptures.invoicedAmount} + ${gatewayCaptures.settledAmount}
      + ${gatewayCaptures.withdrawnAmount} + ${gatewayCaptures.lentAmount}
    AND (${outcome} <> 'paid' OR EXISTS (
      SELECT 1 FROM ${paymentIntents} WHERE ${paymentIntents.id} = ${intentId} AND ${paymentIntents.kind} = 'invoice'))
    AND NOT EXISTS (
      SELECT 1 FROM ${paymentIntents} JOIN ${salesOrders} ON ${salesOrders.id} = CAST(${paymentIntents.refId} AS INTEGER)
      WHERE ${paymentIntents.id} = ${intentId} AND ${paymentIntents.kind} = 'order'
        AND (${salesOrders.needsRefund} = 1 OR ${salesOrders.paymentStatus} = 'review'))
    AND NOT EXISTS (
      SELECT 1 FROM ${paymentIntents} JOIN ${bookings} ON ${bookings.id} = ${paymentIntents.refId}
      WHERE ${paymentIntents.id} = ${intentId} AND ${paymentIntents.kind} = 'booking'
        AND ${bookings.paymentStatus} = 'refund_due')`,
);

// Unused credit of other invoices, as far as gateways still have what paid them. The money of a lesson is due with its booking.
const credits = once(
  () => sql`SELECT 'credit_note' AS kind, CAST(${creditNotes.id} AS TEXT) AS ref_id, ${creditNotes.creditNoteNumber} AS number,
    ${creditNotes.customerId} AS customer_id, NULL AS capture_id, min(${freeCredit}, (
      SELECT coalesce(sum(${payments.amount}), 0) FROM ${payments} WHERE ${payments.invoiceId} = ${creditNotes.invoiceId}
        AND ${payments.gateway} IS NOT NULL AND ${payments.deletedAt} IS NULL) - (
      SELECT coalesce(sum(${gatewayRefunds.amount} - ${gatewayRefunds.advanceAmount} - ${gatewayRefunds.coveredAmount}), 0)
      FROM ${gatewayRefunds} WHERE ${gatewayRefunds.status} <> 'failed' AND ${gatewayRefunds.creditNoteId} IN (SELECT ${same.id} FROM ${creditNotes} AS ${same}
          WHERE ${same.invoiceId} = ${creditNotes.invoiceId}))) AS amount,
    ${invoices.currency} AS currency, ${creditNotes.updatedAt} AS since
  FROM ${creditNotes} JOIN ${invoices} ON ${invoices.id} = ${creditNotes.invoiceId}
  WHERE ${creditNotes.unappliedAmount} > 0
    AND NOT EXISTS (SELECT 1 FROM ${salesOrders} WHERE ${salesOrders.id} = ${invoices.salesOrderId})
    AND NOT EXISTS (
      SELECT 1 FROM ${lessonSales} JOIN ${bookings} ON ${bookings.id} = ${lessonSales.bookingId}
      WHERE ${lessonSales.invoiceId} = ${invoices.id} AND ${bookings.paymentStatus} = 'refund_due')`,
);

/** What is due back, newest first. */
export function listDue(ctx: CallCtx, _params: unknown, { page }: { page: Page }): Promise<Listed<DueRow>> {
  const [at = Number.MAX_SAFE_INTEGER, kind = "", ref = ""] = page.after ?? [];
  const select = sql<DueRow>`SELECT ${dueBack.columns()} AS snapshot
    FROM (${orders()} UNION ALL ${lessons()} UNION ALL ${strays()}
      UNION ALL ${credits()})
    WHERE amount > 0 AND (since, kind, ref_id) < (${at}, ${kind}, ${ref})
    ORDER BY since DESC, kind DESC, ref_id DESC LIMIT ${page.take}`;
  return readList(ctx, page, select);
}
