import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isLive } from "#features/customers";
import { type Effects, type IntentRow, type PaidIntent, Parked } from "#features/gateway-payments";
import { invoiceOrder } from "#features/invoices";
import { recordOnlinePayment } from "#features/payments";
import { refuseIfNone } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { profile } from "#tables/company";
import { customers } from "#tables/customers";
import { products } from "#tables/products";
import { salesOrders } from "./tables.ts";

/** What payments do to orders. */
export const orderEffects: Effects = {
  paid: convert,
  // An order that has its invoice stays as it is, whatever else comes.
  review: (ctx, intent) => [set(ctx, intent, sql`payment_status = 'review'`, sql`status <> 'invoiced'`)],
  overpaid: (ctx, intent) => [set(ctx, intent, sql`needs_refund = 1`, sql`true`)],
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
  const invoice = invoiceOrder(ctx, { ...order, lines: JSON.parse(order.items) }, buyer, seller, stocked);
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
    sql`UPDATE ${salesOrders} SET status = 'invoiced', payment_status = 'paid', invoice_id = ${invoice.id},
      paid_at = ${ctx.now}, updated_at = ${ctx.now} WHERE ${here} AND status <> 'invoiced'`,
    refuseIfNone("intent_moved"),
  ];
}

function set(ctx: Ctx, intent: IntentRow, change: SQL, when: SQL): SQL {
  return sql`UPDATE ${salesOrders} SET ${change}, updated_at = ${ctx.now} WHERE ${orderOf(intent)} AND ${when}`;
}

function orderOf({ refId }: IntentRow): SQL {
  return eq(salesOrders.id, Number(refId));
}
