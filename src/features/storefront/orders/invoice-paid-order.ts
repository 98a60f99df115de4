import { eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx, Ctx, ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { refuseIfNone } from "#core/write/atomic.ts";
import { largestFee } from "#features/captures";
import { isLive } from "#features/customers";
import type { IntentRow, PaidIntent } from "#features/gateway-payments";
import { invoiceOrder, type PaidOrder, selectSeller } from "#features/invoices";
import { recordOnlinePayment } from "#features/payments";
import { pick } from "#shared/pick.ts";
import type { profile } from "#tables/company";
import { customers } from "#tables/customers";
import { products, stockMovements } from "#tables/products";
import { salesOrders } from "#tables/storefront";
import { buyerOf, type Registration, type Shopper, selectRegistration } from "../checkout/shopper.ts";
import { setOrder } from "./order-of-payment.ts";
import { recordSurplus } from "./surplus.ts";

type OrderRow = typeof salesOrders.$inferSelect;
type Seller = typeof profile.$inferSelect;

/** All that an order is turned into an invoice from. */
export type OrderToInvoice = {
  order: OrderRow;
  seller: Seller;
  stocked: readonly (typeof products.$inferSelect)[];
};

export type PaymentOfOrder = {
  intent: PaidIntent;
  /** The account that owes it. */
  customerId: number | SQL<number>;
  /** The order as its invoice is to have it, its tax included. */
  paid: PaidOrder;
};

type Here = Given<{ here: SQL }>;
const selectOrder = keptQuery((db, { here }: Here) => db.select().from(salesOrders).where(here));
const selectMatched = keptQuery((db, { here }: Here) =>
  db
    .select({ customer: customers, isLive: sql<number>`${isLive}` })
    .from(customers)
    .where(eq(customers.id, sql`(SELECT ${salesOrders.customerId} FROM ${salesOrders} WHERE ${here})`)),
);
const selectStocked = keptQuery((db, { here }: Here) =>
  db
    .select()
    .from(products)
    .where(sql`${products.id} IN (SELECT json_extract(line.value, '$.productId')
      FROM ${salesOrders}, json_each(${salesOrders.items}) line WHERE ${here})`),
);

/** The queries of one read batch for what an order is turned into an invoice from. */
export function orderToInvoiceQueries(here: SQL) {
  return [
    selectOrder({ here }),
    selectMatched({ here }),
    selectSeller({}),
    selectStocked({ here }),
    selectRegistration({
      gstin: sql`(SELECT ${salesOrders.customer} ->> '$.gstin' FROM ${salesOrders} WHERE ${here})`,
    }),
  ] as const;
}

/** The order with its buyer's particulars. */
export function paidOrder(
  ctx: ReadCtx,
  order: OrderRow,
  registration: Registration | undefined,
  customerId: PaymentOfOrder["customerId"],
): PaidOrder {
  const shopper: Shopper = JSON.parse(order.customer);
  const buyer = buyerOf(shopper, ctx.company.country, registration);
  return { ...order, lines: JSON.parse(order.items), buyer, customerId };
}

/**
 * The statements that turn a paid order into its invoice, payment, entries and stock movements; null where its stated
 * tax follows from no GST rates.
 */
export function invoicePaidOrder(
  ctx: Ctx,
  { order, seller, stocked }: OrderToInvoice,
  { intent, customerId, paid }: PaymentOfOrder,
): SQLWrapper[] | null {
  const { currency, totalAmount: amount } = order;
  const invoice = invoiceOrder(ctx, paid, seller, stocked);
  if (invoice === null) return null;
  const payment = {
    invoiceId: invoice.id,
    customerId,
    amount,
    currency,
    date: invoice.date,
    ...pick(intent, "gateway", "gatewayPaymentId", "isAdvance"),
    reference: order.orderNumber,
    source: "storefront" as const,
  };
  return [
    ...invoice.statements,
    ...recordOnlinePayment(ctx, payment, 1),
    setOrder(
      ctx,
      intent,
      {
        status: "invoiced",
        paymentStatus: "paid",
        reviewCode: null,
        invoiceId: invoice.id,
        paidAt: ctx.now,
      },
      ne(salesOrders.status, "invoiced"),
    ),
    refuseIfNone("intent_moved"),
    ...(seller.allowNegativeStock === 1 ? [] : [flagOversold(ctx, intent)]),
    ...recordSurplus(ctx, intent),
    // It may have been recorded before, while the order waited for another reason.
    setOrder(
      ctx,
      intent,
      { reviewCode: "overcaptured" },
      sql`${salesOrders.reviewCode} IS NULL AND ${salesOrders.overcapturedAmount} > ${largestFee(intent.amount)}`,
    ),
  ];
}

/** Marks an order that took stock below zero. */
function flagOversold(ctx: CallCtx, intent: IntentRow): SQLWrapper {
  const below = sql`EXISTS (SELECT 1 FROM ${stockMovements}
    WHERE ${stockMovements.operation} = ${ctx.call.id} AND ${stockMovements.balanceAfter} < 0)`;
  return setOrder(ctx, intent, { oversold: 1, reviewCode: "oversold" }, below);
}
