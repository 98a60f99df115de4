import { sql } from "drizzle-orm";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import type { OrderLine } from "#features/invoices";
import { moneyToWire, priceToWire, quantityToWire } from "#shared/fields/numbers.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { bookingPackages } from "#tables/bookings";
import { paymentIntents } from "#tables/gateway-payments";
import { invoices } from "#tables/invoices";
import type { Shopper } from "../checkout/shopper.ts";
import { salesOrders } from "../tables.ts";

type OrderPackage = {
  id: number;
  sessions_total: number;
  sessions_used: number;
  status: "active" | "cancelled";
};
const packageJson = jsonObject({
  id: bookingPackages.id,
  sessions_total: bookingPackages.sessionsTotal,
  sessions_used: bookingPackages.sessionsUsed,
  status: bookingPackages.status,
});

/** An order as its buyer may read it. */
export const orderShape = {
  id: salesOrders.id,
  order_number: salesOrders.orderNumber,
  status: salesOrders.status,
  payment_status: salesOrders.paymentStatus,
  needs_refund: salesOrders.needsRefund,
  total_amount: salesOrders.totalAmount,
  currency: salesOrders.currency,
  gateway: sql<(typeof paymentIntents.$inferSelect)["gateway"]>`(
    SELECT ${paymentIntents.gateway} FROM ${paymentIntents}
    WHERE ${paymentIntents.kind} = 'order' AND ${paymentIntents.refId} = CAST(${salesOrders.id} AS TEXT)
  )`,
  items: sql<OrderLine[]>`json(${salesOrders.items})`,
  tax_amount: salesOrders.taxAmount,
  shipping_amount: salesOrders.shippingAmount,
  customer: sql<Shopper>`json(${salesOrders.customer})`,
  source_website: salesOrders.sourceWebsite,
  packages_missing: salesOrders.packagesMissing,
  packages: sql<OrderPackage[]>`json((SELECT json_group_array(${packageJson}) FROM (
    SELECT * FROM ${bookingPackages} WHERE ${bookingPackages.orderId} = ${salesOrders.id} ORDER BY ${bookingPackages.line}) booking_packages))`,
  invoice_id: salesOrders.invoiceId,
  invoice_number: sql<string | null>`${invoices.invoiceNumber}`,
  invoice_status: sql<string | null>`${invoices.status}`,
  public_token: sql<string | null>`${invoices.publicToken}`,
  notes: salesOrders.notes,
  metadata: sql<Record<string, unknown>>`json(${salesOrders.metadata})`,
  created_at: salesOrders.createdAt,
  paid_at: salesOrders.paidAt,
};
export type OrderRow = JsonRow<typeof orderShape>;
/** The columns of an order, as JSON. */
export const orderJson = once(() => jsonObject(orderShape));

/** What follows `sales_orders` in a FROM for the columns of its invoice. */
export const withInvoice = once(
  () => sql`LEFT JOIN ${invoices} ON ${invoices.id} = ${salesOrders.invoiceId}`,
);

export function renderOrder(row: OrderRow, ctx: ReadCtx & OutsideCtx) {
  const { id, public_token: token, invoice_status, items, ...rest } = row;
  return {
    ...rest,
    order_id: id,
    needs_refund: row.needs_refund === 1,
    packages_missing: row.packages_missing === 1,
    total_amount: moneyToWire(row.total_amount),
    tax_amount: moneyToWire(items.reduce((sum, { addedTax }) => sum + addedTax, row.tax_amount)),
    shipping_amount: moneyToWire(row.shipping_amount),
    items: items.map((line) => ({
      product_id: line.productId,
      name: line.name,
      quantity: quantityToWire(line.quantity),
      unit_price: priceToWire(line.unitPrice),
      total: moneyToWire(line.total),
    })),
    invoice_id: row.invoice_id === null ? null : String(row.invoice_id),
    // A voided invoice has no page any more.
    invoice_url:
      token === null || invoice_status === "voided" ? null : `${ctx.origin}/i/${ctx.company.slug}/${token}`,
    created_at: timestampToWire(row.created_at),
    paid_at: timestampOrNull(row.paid_at),
  };
}
