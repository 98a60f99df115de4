import type { SQLWrapper } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { invoiceLesson, isTaxRegistered, type PaidLesson, type Seller } from "#features/invoices";
import { recordModePayment, recordOnlinePayment } from "#features/payments";
import { issueReceipt, type Way } from "./issue-receipt.ts";

// The invoice's entry comes before its payment's.
const PAYMENT_ORDINAL = 1;

/**
 * The statements after those that mark a booking as paid: the document of its money, with its tax, and its place in the
 * books. The payment issues the invoice (CGST Act, s.13(2)), or a receipt where the school issues none.
 */
export function bookPayment(
  ctx: Ctx,
  lesson: PaidLesson,
  { seller, issueInvoices, way }: { seller: Seller; issueInvoices: number | null; way: Way },
): SQLWrapper[] {
  const isInvoiced = issueInvoices === null ? isTaxRegistered(seller, ctx) : issueInvoices === 1;
  return isInvoiced ? invoicePayment(ctx, lesson, seller, way) : issueReceipt(ctx, lesson, seller, way);
}

/** The statements that issue the invoice of money that came for a booking. */
export function invoicePayment(ctx: Ctx, lesson: PaidLesson, seller: Seller, way: Way): SQLWrapper[] {
  const { customerId, amount, currency, bookingNumber: reference } = lesson;
  const invoice = invoiceLesson(ctx, lesson, seller);
  const payment = { invoiceId: invoice.id, customerId, amount, currency, date: invoice.date, reference };
  return [
    ...invoice.statements,
    ...("mode" in way
      ? recordModePayment(ctx, { ...payment, mode: way.mode }, PAYMENT_ORDINAL)
      : recordOnlinePayment(ctx, { ...payment, ...way, source: "booking" }, PAYMENT_ORDINAL)),
  ];
}
