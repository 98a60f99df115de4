import { eq, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { companyToday } from "#core/calendar.ts";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import type { RowOf } from "#core/sql/record.ts";
import { AnotherBatch, atomic, refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { packagesPaidAgain } from "#features/bookings";
import { type CaptureRow, capture, nameCustomer, settleCaptures } from "#features/captures";
import { reduceAmountDue } from "#features/invoices";
import { orderPaidAgain } from "#features/storefront";
import { idReference, type RecordParams } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { bookings } from "#tables/bookings";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { salesOrders } from "#tables/storefront";
import { recordOnlinePayment } from "../payments/record-online.ts";

export const CaptureSettle = z.object({
  outside_reference: cleanText({ min: 1, max: 200 }).nullish().meta({
    description: "For money that was given back: the reference of the refund outside this service.",
  }),
  payment_mode_id: idReference.nullish().meta({
    description:
      "With an `outside_reference`: the payment mode by which the money was given back. Default: at the gateway.",
  }),
  invoice_id: idReference.nullish().meta({
    description:
      "Instead of an `outside_reference`: the invoice that the money pays, up to what is due of it. Asks also for `payments:write`.",
  }),
});
export type CaptureSettle = z.infer<typeof CaptureSettle>;

const ATTEMPTS = 3;

type Found = { capture: CaptureRow; orderId: number | null; bookingId: string | null };

/**
 * Settles by hand the money of a capture that waits in Customer Advances: it was given back, or it pays an invoice.
 * Throws 409 `invalid_status` where nothing waits, or where its order or booking has an operation that settles it.
 */
export async function settleCapture(
  ctx: Ctx,
  { id }: RecordParams,
  body: CaptureSettle,
): Promise<RowOf<typeof capture>> {
  const { outside_reference: reference, payment_mode_id: mode = null, invoice_id: invoiceId } = body;
  if ((reference == null) === (invoiceId == null))
    throw fieldProblem("outside_reference", "required", "or invoice_id is required, and not both");
  if (mode !== null && reference == null)
    throw fieldProblem("payment_mode_id", "not_accepted", "is taken with an outside_reference only");
  if (invoiceId != null) requireScope(ctx, "payments:write");
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await settleOnce(ctx, id, body);
    } catch (error) {
      if (!(error instanceof AnotherBatch)) throw error;
      // A payment beside it took of what is due: the next attempt sees what is left.
      if (attempt === ATTEMPTS) throw new Problem("invalid_status");
    }
  }
}

async function settleOnce(
  ctx: Ctx,
  id: number,
  { outside_reference: reference, payment_mode_id: mode = null, invoice_id: invoiceId }: CaptureSettle,
): Promise<RowOf<typeof capture>> {
  const [[found], [invoice]] = await read(ctx, [
    selectFound(ctx, id, invoiceId),
    selectInvoice(ctx, invoiceId ?? null),
  ]);
  const seen = requireWaiting(found);
  const statements =
    reference == null
      ? payInvoice(ctx, seen, invoice)
      : settleCaptures(ctx, eq(gatewayCaptures.id, id), { mode, reference });
  const late = () => new AnotherBatch();
  return atomic(
    ctx,
    [
      refuseWhen(
        sql`NOT EXISTS (SELECT 1 FROM ${gatewayCaptures}
          LEFT JOIN ${paymentIntents} ON ${paymentIntents.id} = ${gatewayCaptures.intentId}
          WHERE ${gatewayCaptures.id} = ${id} AND ${gatewayCaptures.advanceAmount} = ${seen.advanceAmount}
            AND ${owedOrder(invoiceId)} IS NULL AND ${owedBooking(invoiceId)} IS NULL)`,
        "invalid_status",
      ),
      ...statements,
    ],
    capture.select(eq(gatewayCaptures.id, id)),
    {
      invalid_status: late,
      amount_exceeds_due: late,
      capture_exceeded: late,
      "advances.credit_account_id": () =>
        fieldProblem("payment_mode_id", "not_found", "names no payment mode"),
    },
    reference ?? null,
  );
}

type InvoiceId = number | null | undefined;

// The order that is owed the money, and the booking: their own operations settle it, but it may pay their own invoice again.
const owedOrder = (invoiceId: InvoiceId) => sql<number | null>`(SELECT ${salesOrders.id} FROM ${salesOrders}
  WHERE ${paymentIntents.kind} = 'order' AND ${salesOrders.id} = CAST(${paymentIntents.refId} AS INTEGER)
    AND (${salesOrders.paymentStatus} = 'review' OR ${salesOrders.needsRefund} = 1)
    AND (${salesOrders.invoiceId} = ${invoiceId ?? null}) IS NOT 1)`;
const owedBooking = (invoiceId: InvoiceId) => sql<string | null>`(SELECT ${bookings.id} FROM ${bookings}
  WHERE ${paymentIntents.kind} = 'booking' AND ${bookings.id} = ${paymentIntents.refId}
    AND ${gatewayCaptures.outcome} = 'paid' AND ${bookings.paymentStatus} IN ('paid', 'refund_due')
    AND NOT EXISTS (SELECT 1 FROM ${lessonSales}
      WHERE ${lessonSales.bookingId} = ${bookings.id} AND ${lessonSales.invoiceId} = ${invoiceId ?? null}))`;

function selectFound(ctx: Ctx, id: number, invoiceId: InvoiceId) {
  return ctx.db
    .select({ capture: gatewayCaptures, orderId: owedOrder(invoiceId), bookingId: owedBooking(invoiceId) })
    .from(gatewayCaptures)
    .leftJoin(paymentIntents, eq(paymentIntents.id, gatewayCaptures.intentId))
    .where(eq(gatewayCaptures.id, id));
}

function selectInvoice(ctx: Ctx, id: number | null) {
  const { invoiceNumber: number, customerId, status, currency, amountDue } = invoices;
  return ctx.db
    .select({ id: invoices.id, number, customerId, status, currency, amountDue })
    .from(invoices)
    .where(sql`${invoices.id} = ${id}`);
}
type FoundInvoice = Awaited<ReturnType<typeof selectInvoice>>[number];

function requireWaiting(found: Found | undefined): CaptureRow {
  if (found === undefined) throw new Problem("not_found");
  const { capture: seen, orderId, bookingId } = found;
  if (seen.advanceAmount === 0)
    throw new Problem("invalid_status", { message: "Nothing of it waits in Customer Advances" });
  const message =
    orderId === null
      ? `Booking ${bookingId} is owed it: mark the booking as refunded instead`
      : `Order ${orderId} is owed it: resolve the order instead`;
  if (orderId !== null || bookingId !== null) throw new Problem("invalid_status", { message });
  return seen;
}

/** The statements that pay what is due of an invoice out of Customer Advances; the rest goes on waiting there. */
function payInvoice(ctx: Ctx, seen: CaptureRow, invoice: FoundInvoice | undefined): SQLWrapper[] {
  if (invoice === undefined) throw fieldProblem("invoice_id", "not_found", "names no invoice");
  const { id, number: reference, customerId, status, currency, amountDue } = invoice;
  if (seen.customerId !== null && seen.customerId !== customerId)
    throw fieldProblem("invoice_id", "not_found", "names no invoice of the customer of the payment");
  if (status === "voided") throw new Problem("invoice_voided");
  if (currency !== seen.currency)
    throw fieldProblem("invoice_id", "currency_not_supported", `is in ${currency}`, "currency_not_supported");
  if (amountDue === 0) throw new Problem("already_paid");
  const amount = Math.min(seen.advanceAmount, amountDue);
  const { gateway, gatewayPaymentId } = seen;
  return [
    nameCustomer(seen.id, customerId),
    reduceAmountDue(ctx, id, { amount, tdsAmount: 0 }),
    ...recordOnlinePayment(
      ctx,
      {
        ...{ invoiceId: id, customerId, amount, currency, date: companyToday(ctx), reference },
        ...{ gateway, gatewayPaymentId, isAdvance: true, source: "api" },
      },
      0,
    ),
    orderPaidAgain(ctx, id),
    packagesPaidAgain(ctx, id),
  ];
}
