import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isLive } from "#features/customers";
import { type Effects, type IntentRow, type PaidIntent, Parked } from "#features/gateway-payments";
import { invoiceOrder, type OrderBuyer } from "#features/invoices";
import { recordOnlinePayment } from "#features/payments";
import { refuseIfNone } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { roundHalfUp } from "#shared/decimal.ts";
import { profile } from "#tables/company";
import { customers } from "#tables/customers";
import { products, stockMovements } from "#tables/products";
import { buyerOf, type StoredShopper, sentShopper } from "./shopper.ts";
import { salesOrders } from "./tables.ts";

const WHOLE = 100_000n;
// Three percent, and 18 percent of tax on it.
const LARGEST_FEE = 3_540n;
const REVIEW_CODES = { mismatch: "amount_mismatch", parked: "effect_refused" } as const;

type Matched = typeof customers.$inferSelect;

/** What payments do to orders. */
export const orderEffects: Effects = {
  paid: convert,
  review: (ctx, intent, reason) => [review(ctx, intent, REVIEW_CODES[reason])],
  overpaid: (ctx, intent) => [set(ctx, intent, sql`needs_refund = 1`, sql`true`)],
  surplus: flagOvercaptured,
  abandoned: (ctx, intent) => [
    set(ctx, intent, sql`status = 'cancelled'`, sql`status = 'draft' AND payment_status = 'unpaid'`),
  ],
};

/** The statements that turn a paid order into its invoice, payment, entries and stock movements. */
async function convert(ctx: Ctx, intent: PaidIntent): Promise<readonly SQLWrapper[]> {
  const here = orderOf(intent);
  const ordered = sql`(SELECT json_extract(line.value, '$.productId')
    FROM ${salesOrders}, json_each(${salesOrders.items}) line WHERE ${here})`;
  const [[order], [buyer], [seller], stocked] = await ctx.database.read([
    ctx.db.select().from(salesOrders).where(here),
    ctx.db
      .select()
      .from(customers)
      .where(
        and(
          eq(customers.id, sql`(SELECT ${salesOrders.customerId} FROM ${salesOrders} WHERE ${here})`),
          isLive,
        ),
      ),
    ctx.db.select().from(profile),
    ctx.db.select().from(products).where(sql`${products.id} IN ${ordered}`),
  ]);
  if (order === undefined || seller === undefined) throw new Parked(`No order ${intent.refId}`);
  if (buyer === undefined) throw new Parked(`The customer of order ${order.orderNumber} was deleted`);
  const { currency, totalAmount: amount } = order;
  const paid = { ...order, lines: JSON.parse(order.items), buyer: buyerOfOrder(ctx, order, buyer) };
  const invoice = invoiceOrder(ctx, paid, seller, stocked);
  // The money is there and kept; an invoice with a rate that no law knows would be worse than a late one.
  if (invoice === null) return [review(ctx, intent, "tax_amount_implausible")];
  const payment = {
    invoiceId: invoice.id,
    customerId: buyer.id,
    amount,
    currency,
    date: invoice.date,
    gateway: intent.gateway,
    gatewayPaymentId: intent.gatewayPaymentId,
    reference: order.orderNumber,
  };
  return [
    ...invoice.statements,
    ...recordOnlinePayment(ctx, payment, 1),
    sql`UPDATE ${salesOrders} SET status = 'invoiced', payment_status = 'paid', review_code = NULL, invoice_id = ${invoice.id},
      paid_at = ${ctx.now}, updated_at = ${ctx.now} WHERE ${here} AND status <> 'invoiced'`,
    refuseIfNone("intent_moved"),
    ...(seller.allowNegativeStock === 1 ? [] : [flagOversold(ctx, intent)]),
    ...flagOvercaptured(ctx, intent),
  ];
}

/** What was sold twice: this very order took stock below zero. */
function flagOversold(ctx: Ctx, intent: IntentRow): SQL {
  const below = sql`EXISTS (SELECT 1 FROM ${stockMovements}
    WHERE ${stockMovements.operation} = ${ctx.operation.id} AND ${stockMovements.balanceAfter} < 0)`;
  return set(ctx, intent, sql`oversold = 1, review_code = 'oversold'`, below);
}

/** What came above the price; a surplus no larger than a gateway's own fee needs nobody's look. */
function flagOvercaptured(ctx: Ctx, intent: PaidIntent): SQL[] {
  const surplus = intent.captured - intent.amount;
  if (surplus <= 0) return [];
  const fee = Number(roundHalfUp(BigInt(intent.amount) * LARGEST_FEE, WHOLE));
  const code = surplus <= fee ? sql`review_code` : sql`coalesce(review_code, 'overcaptured')`;
  return [
    set(
      ctx,
      intent,
      sql`overcaptured_amount = ${surplus}, review_code = ${code}`,
      sql`overcaptured_amount = 0`,
    ),
  ];
}

/** The order's own particulars. Orders from before they were kept take them from the customer, but for its GSTIN. */
function buyerOfOrder(ctx: Ctx, order: typeof salesOrders.$inferSelect, matched: Matched): OrderBuyer {
  const stored: StoredShopper = JSON.parse(order.customer);
  if (stored.country !== undefined) return buyerOf(sentShopper(stored), ctx.company.country);
  const { phone, address, city, state, stateCode, pincode, country } = matched;
  return {
    ...{ name: stored.name, email: stored.email, phone, address, city, state, stateCode, pincode, country },
    ...{ companyName: null, gstin: null, countryText: null, shippingAddress: null },
    gstCategory: country === "IN" ? "unregistered" : "overseas",
  };
}

/** Leaves what was paid for somebody to look at. An order that has its invoice stays as it is, whatever else comes. */
function review(
  ctx: Ctx,
  intent: IntentRow,
  code: NonNullable<typeof salesOrders.$inferSelect.reviewCode>,
): SQL {
  const change = sql`payment_status = 'review', review_code = ${code}`;
  return set(ctx, intent, change, sql`status <> 'invoiced'`);
}

function set(ctx: Ctx, intent: IntentRow, change: SQL, when: SQL): SQL {
  return sql`UPDATE ${salesOrders} SET ${change}, updated_at = ${ctx.now} WHERE ${orderOf(intent)} AND ${when}`;
}

function orderOf({ refId }: IntentRow): SQL {
  return eq(salesOrders.id, Number(refId));
}
