import { eq, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { Ctx, OutsideCtx } from "#core/context.ts";
import { insertRow } from "#core/sql/json-rows.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { atomic, refuseWhen, takeTurn } from "#core/write/atomic.ts";
import { withEventsOf, withoutNotices } from "#core/write/events.ts";
import { takeNumber, takenNumber } from "#core/write/number-series.ts";
import { read } from "#core/write/replay.ts";
import { matchCustomer, selectMatch, stillLive } from "#features/customers";
import { accountsFor, checkoutScript, insertIntent, openAtGateway } from "#features/gateway-payments";
import { contradictsGstin, isPlausible, orderSupply, selectSeller } from "#features/invoices";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { notRegistered } from "#shared/gst/registration.ts";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { nextActionOf, paymentDataOf } from "#shared/payments/next-action.ts";
import { pick } from "#shared/pick.ts";
import { Problem } from "#shared/problem.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { products, units } from "#tables/products";
import { salesOrders } from "#tables/storefront";
import { isOnSale } from "../catalogue/catalogue.ts";
import { type CheckedOut, checkoutAgain, noGateway, ORDER_ALONE, paymentOf } from "./again.ts";
import { hasChanged } from "./has-changed.ts";
import { priceOrder, sellsOnlyServices } from "./price-order.ts";
import { requireStock } from "./require-stock.ts";
import { CHECKOUT_WARNINGS, type Checkout, type CheckoutWarning } from "./schema.ts";
import { buyerOf, prospectOf, requireKnownStates, selectRegistration, shopperOf } from "./shopper.ts";

const SERIES = "order";

type Drafted = { id: number; order_number: string };

const selectOnSale = keptQuery((db, { ids }: Given<{ ids: string }>) =>
  db
    .select({
      ...pick(products, "id", "name", "sellingPrice", "taxRate", "priceIncludesTax", "trackStock"),
      ...pick(products, "currentStock", "gstTreatment", "hsnSacCode", "productType", "isPackage"),
      sessions: products.sessions,
      unit: units.code,
    })
    .from(products)
    .innerJoin(units, eq(units.id, products.unitId))
    .where(sql`${products.id} IN (SELECT value FROM json_each(${ids})) AND ${isOnSale}`),
);
const insertOrder = insertRow(salesOrders, [
  "operation",
  "currency",
  "customer",
  "items",
  "taxAmount",
  "shippingAmount",
  "totalAmount",
  "sourceWebsite",
  "returnUrl",
  "cancelUrl",
  "notes",
  "metadata",
  "createdAt",
  "updatedAt",
]);

/** What callers give ids of their own to. The same checkout again answers with the order that stands. */
export const orderIds = {
  kind: "order",
  table: salesOrders,
  isDocument: true,
  again: checkoutAgain,
} as const;

/** Opens an order and its payment. Those of one id of the caller's own wait for each other, so that one payment is opened. */
export function checkout(ctx: Ctx, _params: unknown, body: Checkout): Promise<CheckedOut> {
  const own = ctx.call.externalId;
  const open = () => openOrder(ctx, body);
  return own === undefined ? open() : ctx.oneByOne(`order:${own.id}`, open);
}

/**
 * Opens the payment of an order, then stores both in one batch. A payment whose order is not stored stays unpaid: only
 * the answer of this call lets its payer pay. Throws 409 `catalogue_changed` where the price may not hold any more, or
 * the customer that matched is gone.
 */
async function openOrder(ctx: Ctx, body: Checkout): Promise<CheckedOut> {
  const ids = body.items.flatMap(({ product_id: id }) => (id == null ? [] : [id]));
  const shopper = shopperOf(body.customer);
  const [[account], catalogue, [seller], [registration], [match]] = await read(ctx, [
    accountsFor({ currency: body.currency }),
    selectOnSale({ ids: JSON.stringify(ids) }),
    selectSeller({}),
    selectRegistration({ gstin: shopper.gstin }),
    selectMatch(shopper),
  ]);
  if (seller === undefined) throw new Error("The company has no profile");
  const today = companyToday(ctx);
  const buyer = buyerOf(shopper, ctx.company.country, registration);
  const { country, currency } = ctx.company;
  const isService = sellsOnlyServices(body, catalogue);
  const supply = orderSupply(seller, buyer, { country, date: today, isService });
  if (!supply.isTaxed && (body.tax_amount ?? 0) > 0) throw notRegistered("tax_amount");
  if (supply.isTaxed && country === "IN") requireKnownStates(buyer);
  const priced = priceOrder(body, catalogue, currency, supply);
  if (seller.allowNegativeStock !== 1) requireStock(priced.lines, catalogue);
  if (account === undefined) throw noGateway(body.currency);

  const { short } = financialYearOf(today, country);
  const known = match?.id ?? null;
  const customer =
    known === null
      ? matchCustomer(ctx, prospectOf(buyer), "storefront")
      : { statements: [], id: stillLive({ id: known }) };
  const here = eq(salesOrders.operation, ctx.call.id);
  const order = sql`(SELECT ${salesOrders.id} FROM ${salesOrders} WHERE ${here})`;
  await takeTurn(ctx);
  const opened = await openAtGateway(ctx, account, paymentOf(ctx, body, priced.total));
  const drafted = await atomic<Drafted>(
    withoutNotices(known === null ? ctx : withEventsOf(ctx, ORDER_ALONE)),
    [
      refuseWhen(hasChanged(catalogue, account), "catalogue_changed"),
      ...customer.statements,
      takeNumber(SERIES, short),
      insertOrder(
        {
          operation: ctx.call.id,
          currency: body.currency,
          customer: JSON.stringify(shopper),
          items: JSON.stringify(priced.lines),
          taxAmount: priced.taxAmount,
          shippingAmount: priced.shippingAmount,
          totalAmount: priced.total,
          sourceWebsite: body.source_website,
          returnUrl: body.return_url,
          cancelUrl: body.cancel_url,
          notes: body.notes ?? null,
          metadata: JSON.stringify(body.metadata ?? {}),
          createdAt: ctx.now,
          updatedAt: ctx.now,
        },
        { orderNumber: takenNumber(SERIES, short, NUMBER_PREFIXES.order), customerId: customer.id },
      ),
      insertIntent(ctx, account, {
        kind: "order",
        refId: sql<string>`CAST(${order} AS TEXT)`,
        amountMinor: priced.total,
        currency: body.currency,
        gatewayOrderId: opened.gatewayOrderId,
        paymentUrl: opened.paymentUrl,
      }),
    ],
    sql<Drafted>`SELECT json_object('id', ${salesOrders.id}, 'order_number', ${salesOrders.orderNumber})
      FROM ${salesOrders} WHERE ${here}`,
    { "sales_orders.customer_id": () => new Problem("catalogue_changed") },
  );
  const warnings = warningsOf({
    tax_amount_implausible: !isPlausible(priced.lines, priced, country),
    place_of_supply_not_of_gstin: contradictsGstin(buyer.gstin, supply.place),
    unit_price_of_catalogue: priced.lines.some(
      ({ unitPrice }, index) => unitPrice !== body.items[index]?.unit_price,
    ),
  });
  const { gateway } = opened;
  return { ...drafted, total: priced.total, currency: body.currency, gateway, opened, warnings };
}

function warningsOf(given: Record<CheckoutWarning, boolean>): CheckoutWarning[] {
  return CHECKOUT_WARNINGS.filter((warning) => given[warning]);
}

export function renderCheckout(
  { id, order_number, total, currency, gateway, opened, warnings }: CheckedOut,
  ctx: OutsideCtx,
) {
  return {
    success: true as const,
    order_id: id,
    order_number,
    total_amount: moneyToWire(total),
    currency,
    gateway,
    ...(opened === undefined ? {} : { payment_data: paymentDataOf(opened) }),
    next_action: opened === undefined ? null : nextActionOf(opened, checkoutScript(ctx)),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
