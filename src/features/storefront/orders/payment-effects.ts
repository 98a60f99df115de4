import { ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { isLive } from "#features/customers";
import {
  type Effects,
  hasOtherMoney,
  type IntentRow,
  type PaidEffect,
  type PaidIntent,
  Quarantined,
} from "#features/gateway-payments";
import { customers } from "#tables/customers";
import { salesOrders } from "#tables/storefront";
import { invoicePaidOrder, orderToInvoiceQueries, paidOrder } from "./invoice-paid-order.ts";
import { isOpen, orderOf, setOrder } from "./order-of-payment.ts";
import { recordSurplus } from "./surplus.ts";

type ReviewCode = (typeof salesOrders.reviewCode.enumValues)[number];

/** A code about an exact payment stays: it matters more than a wrong amount that comes later. */
const AFTER_MISMATCH = sql<ReviewCode>`iif(${salesOrders.reviewCode} IN ('tax_amount_implausible', 'customer_gone', 'effect_refused'),
  ${salesOrders.reviewCode}, 'amount_mismatch')`;
const AFTER_REFUSAL = sql<ReviewCode>`iif(EXISTS (SELECT 1 FROM ${customers}
  WHERE ${customers.id} = ${salesOrders.customerId} AND ${isLive}), 'effect_refused', 'customer_gone')`;
const REVIEW_CODES = { mismatch: AFTER_MISMATCH, quarantined: AFTER_REFUSAL };

/** What payments do to orders. */
export const orderEffects: Effects = {
  changes: ["order", "invoice", "payment", "product", "package"],
  customerOf: (intent) =>
    sql`(SELECT ${salesOrders.customerId} FROM ${salesOrders} WHERE ${orderOf(intent)})`,
  paid: invoiceOrReview,
  review: (ctx, intent, reason) => [
    review(ctx, intent, REVIEW_CODES[reason]),
    ...(reason === "quarantined" ? recordSurplus(ctx, intent) : []),
  ],
  overpaid: (ctx, intent) => [setOrder(ctx, intent, { needsRefund: 1 }, hasOtherMoney(intent))],
  surplus: recordSurplus,
  abandoned: (ctx, intent) => [setOrder(ctx, intent, { status: "cancelled" }, isOpen)],
};

/** The statements that turn a paid order into its invoice, or leave it for review. */
async function invoiceOrReview(ctx: Ctx, intent: PaidIntent): Promise<PaidEffect> {
  const [[order], [matched], [seller], stocked, [registration]] = await ctx.database.read(
    orderToInvoiceQueries(orderOf(intent)),
  );
  if (order === undefined || seller === undefined) throw new Quarantined(`No order ${intent.refId}`);
  // Another payment of it, whose place this one took or which took its own, has paid it.
  if (order.status === "invoiced")
    return { statements: [setOrder(ctx, intent, { needsRefund: 1 })], invoiced: 0 };
  const { reviewedAt } = order;
  // An order that a person cancelled or refunded stays ended; one that its gateway closed revives when it is paid.
  if (order.status === "cancelled" && reviewedAt !== null)
    throw new Quarantined(`Order ${order.orderNumber} was ended`);
  if (matched?.isLive !== 1) throw new Quarantined(`The customer of order ${order.orderNumber} was deleted`);
  const { customer } = matched;
  const paid = paidOrder(ctx, order, registration, customer.id);
  const invoiced = invoicePaidOrder(
    ctx,
    { order, seller, stocked },
    { intent, customerId: customer.id, paid },
  );
  // The payment is kept. An invoice with a tax rate that does not exist would be worse than a late invoice.
  const unchanged = refuseWhen(
    sql`EXISTS (SELECT 1 FROM ${salesOrders} WHERE ${orderOf(intent)} AND ${salesOrders.reviewedAt} IS NOT ${reviewedAt})`,
    "intent_moved",
  );
  if (invoiced !== null) return { statements: [unchanged, ...invoiced], invoiced: order.totalAmount };
  const implausible = review(ctx, intent, "tax_amount_implausible");
  return { statements: [unchanged, implausible, ...recordSurplus(ctx, intent)], invoiced: 0 };
}

/** Leaves a paid order for review. An order that has its invoice stays as it is, whatever else comes. */
function review(ctx: ReadCtx, intent: IntentRow, reviewCode: ReviewCode | SQL<ReviewCode>): SQLWrapper {
  return setOrder(ctx, intent, { paymentStatus: "review", reviewCode }, ne(salesOrders.status, "invoiced"));
}
