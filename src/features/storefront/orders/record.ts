import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { externalIdField, withExternalId } from "#core/sql/external-id.ts";
import {
  added,
  amount,
  described,
  flag,
  from,
  idText,
  instant,
  internal,
  json,
  nullable,
  rendered,
} from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { shownCaptures } from "#features/captures";
import { renderStartedPayment, startedPayments } from "#features/gateway-payments";
import type { OrderLine } from "#features/invoices";
import {
  moneyOnWire,
  moneyToWire,
  priceOnWire,
  priceToWire,
  quantityOnWire,
  quantityToWire,
} from "#shared/fields/numbers.ts";
import { GatewayPayment } from "#shared/payments/gateway-payment.ts";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { REFUND_STATES, REFUND_STATES_WORDS } from "#shared/payments/refunds.ts";
import { bookingPackages } from "#tables/bookings";
import { paymentIntents } from "#tables/gateway-payments";
import { invoices } from "#tables/invoices";
import { salesOrders } from "#tables/storefront";

const text = z.string().nullable();
const address = { address: text, city: text, state: text, pincode: text, country: text };
const Shopper = z
  .object({
    name: z.string(),
    email: z.string(),
    phone: text,
    company_name: text,
    gstin: text,
    ...address,
    shipping_address: z.object({ name: text, phone: text, ...address }).nullable(),
  })
  .meta({ id: "Shopper" });
const grantedPackage = record(bookingPackages, {
  id: z.int(),
  sessions_total: z.int(),
  sessions_used: z.int().describe("Lessons that were taken or booked."),
  status: z.enum(["active", "cancelled"]),
});
const OrderItem = z
  .object({
    product_id: z.int().nullable(),
    name: z.string(),
    quantity: quantityOnWire,
    unit_price: priceOnWire,
    total: moneyOnWire.describe("With tax."),
  })
  .meta({ id: "OrderItem" });
/** The gateway of the last payment that was opened for an order. */
export const gateway = sql<(typeof paymentIntents.$inferSelect)["gateway"]>`(
  SELECT ${paymentIntents.gateway} FROM ${paymentIntents}
  WHERE ${paymentIntents.kind} = 'order' AND ${paymentIntents.refId} = CAST(${salesOrders.id} AS TEXT)
  ORDER BY ${paymentIntents.id} DESC LIMIT 1
)`;
const packages = sql<
  RowOf<typeof grantedPackage>[]
>`json((SELECT json_group_array(${grantedPackage.columns()}) FROM (
  SELECT * FROM ${bookingPackages} WHERE ${bookingPackages.orderId} = ${salesOrders.id} ORDER BY ${bookingPackages.line}) booking_packages))`;

type Taxed = { items: OrderLine[]; stated_tax: number };
type Paged = { public_token: string | null; invoice_status: string | null };
type Home = Pick<ReadCtx & OutsideCtx, "origin" | "company">;

const orderFields = {
  external_id: externalIdField("order", salesOrders.id),
  order_id: added(z.int(), ({ id }: { id: number }) => id),
  order_number: z.string().describe("The number that the shop and the buyer quote."),
  status: z.enum(["draft", "invoiced", "cancelled"]),
  payment_status: z
    .enum(["unpaid", "paid", "review"])
    .meta({ description: "`review`: money came, but not as requested." }),
  needs_refund: described(
    flag,
    "The buyer is owed money: more came than the price, its invoice was voided, or a credit note has unused credit. What is on its way back is owed no more, unless it fails.",
  ),
  total_amount: amount,
  currency: z.string(),
  gateway: from(gateway, z.enum(GATEWAY_KINDS)),
  items: json(rendered(z.array(OrderItem), (lines: OrderLine[]) => lines.map(renderLine))),
  packages: from(
    packages,
    z.array(grantedPackage.schema).meta({ description: "The packages of lessons that the payment granted." }),
  ),
  packages_missing: described(
    flag,
    "A paid package could not be granted, because it names no lesson any more.",
  ),
  stated_tax: internal(salesOrders.taxAmount),
  tax_amount: added(moneyOnWire, ({ items, stated_tax: stated }: Taxed) =>
    moneyToWire(items.reduce((sum, { addedTax }) => sum + addedTax, stated)),
  ),
  shipping_amount: amount,
  customer: json(Shopper.meta({ description: "As sent at checkout." })),
  source_website: z.string().describe("The site that sold it."),
  invoice_id: nullable(idText),
  invoice_number: from(sql<string | null>`${invoices.invoiceNumber}`, z.string().nullable()),
  invoice_status: internal(sql<string | null>`${invoices.status}`),
  public_token: internal(sql<string | null>`${invoices.publicToken}`),
  invoice_url: added(
    z.string().nullable().meta({ description: "The invoice's page, once the order is paid." }),
    // A voided invoice has no page any more.
    ({ public_token: token, invoice_status: status }: Paged, { origin, company }: Home) =>
      token === null || status === "voided" ? null : `${origin}/i/${company.slug}/${token}`,
  ),
  notes: z.string().nullable().describe("Of the buyer."),
  metadata: json(z.record(z.string(), z.unknown()).meta({ description: "As sent at checkout." })),
  created_at: instant,
  paid_at: nullable(instant),
  id: internal<number>(),
};

/** An order as its buyer may read it. */
export const order = record(salesOrders, orderFields);
/** An order with all that the company knows of it. */
export const listedOrder = record(
  salesOrders,
  {
    ...orderFields,
    id: idText,
    customer_id: idText,
    needs_review: added(
      z.boolean().meta({ description: "Staff must review it. `review_code` says why." }),
      ({ review_code: code }: { review_code: string | null }) => code !== null,
    ),
    review_code: z.enum(salesOrders.reviewCode.enumValues).nullable().meta({
      description:
        "`amount_mismatch`: another amount came. `tax_amount_implausible`: no existing rate gives the stated tax. `customer_gone`: its customer was deleted. `effect_refused`: the invoice could not be created, the money came after the order was ended, or its gateway named a payment of another order. `oversold`: its sale took stock below zero. `refunded_at_gateway`: the gateway gave money back. `overcaptured`: more came than the price and a fee. `packages_missing`: a package could not be granted. `package_credited`: a part of a package was credited.",
    }),
    reviewed_at: described(nullable(instant), "When it was last invoiced by hand, cancelled or dismissed."),
    oversold: described(flag, "Its sale took stock below zero."),
    overcaptured_amount: described(amount, "The amount paid above the price."),
    refund_status: z.enum(REFUND_STATES).meta({ description: REFUND_STATES_WORDS }),
    refunded_amount: described(amount, "How much went back through gateways."),
    outside_reference: z
      .string()
      .nullable()
      .meta({ description: "The reference of the last refund outside this service." }),
    payments: from(
      startedPayments("order", sql`CAST(${salesOrders.id} AS TEXT)`),
      rendered(
        z.array(GatewayPayment).describe("The payments that were started at gateways, oldest first."),
        (payments: Parameters<typeof renderStartedPayment>[0][]) => payments.map(renderStartedPayment),
      ),
    ),
    captures: shownCaptures,
    updated_at: instant,
  },
  "ListedOrder",
);
export type OrderRow = RowOf<typeof order>;
export type ListedOrderRow = RowOf<typeof listedOrder>;

/** The data of order events: all that the company knows of an order. */
export const orderResource = resource({
  name: "order",
  scope: "orders:read",
  record: listedOrder,
  select: (_ctx, id) => selectOrders(sql`${salesOrders.id} = ${id}`),
  upgrades: [withExternalId],
});

/** What follows `sales_orders` in a FROM for the columns of its invoice. */
export const withInvoice = once(
  () => sql`LEFT JOIN ${invoices} ON ${invoices.id} = ${salesOrders.invoiceId}`,
);

/** The SELECT of orders with all that the company knows of them; `from` ends with `sales_orders`. */
export function selectOrders(tail: SQL, from: SQL = sql`${salesOrders}`): SQL<ListedOrderRow> {
  return sql`SELECT ${listedOrder.columns()} AS snapshot FROM ${from} ${withInvoice()} WHERE ${tail}`;
}

function renderLine({ productId, name, quantity, unitPrice, total }: OrderLine) {
  return {
    product_id: productId,
    name,
    quantity: quantityToWire(quantity),
    unit_price: priceToWire(unitPrice),
    total: moneyToWire(total),
  };
}
