import { eq, inArray, sql } from "drizzle-orm";
import { matchCustomer, type Visitor } from "#features/customers";
import { accountFor, insertIntent, intentOf, openIntent } from "#features/gateway-payments";
import { atomic } from "#platform/atomic.ts";
import { companyToday } from "#platform/calendar.ts";
import type { Ctx } from "#platform/context.ts";
import { takeNumber, takenNumber } from "#platform/numbers.ts";
import { read } from "#platform/operation-memory.ts";
import { financialYearOf } from "#shared/dates.ts";
import { moneyToWire } from "#shared/numbers.ts";
import { Problem } from "#shared/problem.ts";
import { products, units } from "#tables/products";
import { isOnSale } from "./catalogue.ts";
import { priceOrder } from "./price.ts";
import type { Checkout } from "./schema.ts";
import { salesOrders } from "./tables.ts";

const SERIES = "order";

type Drafted = { id: number; order_number: string; intent_id: number };

/**
 * Takes an order down and opens its payment. The order stands before its gateway is asked, so that money which comes
 * finds it; where the gateway does not open the payment, the order is cancelled.
 */
export async function checkout(ctx: Ctx, _params: unknown, body: Checkout) {
  const ids = body.items.flatMap(({ product_id: id }) => (id == null ? [] : [id]));
  const [[account], catalogue] = await read(ctx, [
    accountFor(ctx, body.currency),
    ctx.db
      .select({
        id: products.id,
        name: products.name,
        sellingPrice: products.sellingPrice,
        taxRate: products.taxRate,
        hsnSacCode: products.hsnSacCode,
        unit: units.code,
      })
      .from(products)
      .innerJoin(units, eq(units.id, products.unitId))
      .where(sql`${inArray(products.id, ids)} AND ${isOnSale}`),
  ]);
  const priced = priceOrder(body, catalogue, ctx.company.currency);
  if (account === undefined) throw new Problem("payment_gateway_unavailable");

  const { short } = financialYearOf(companyToday(ctx));
  const customer = matchCustomer(ctx, visitorOf(body.customer, ctx.company.country), "storefront");
  const here = eq(salesOrders.operation, ctx.operation.id);
  const order = sql`(SELECT ${salesOrders.id} FROM ${salesOrders} WHERE ${here})`;
  const { name, email, phone = null } = body.customer;
  const drafted = await atomic<Drafted>(
    ctx,
    [
      ...customer.statements,
      takeNumber(SERIES, short),
      ctx.db.insert(salesOrders).values({
        operation: ctx.operation.id,
        orderNumber: takenNumber(SERIES, short, "SO"),
        currency: body.currency,
        customerId: customer.id,
        customer: JSON.stringify({ name, email }),
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
      }),
      insertIntent(ctx, account, {
        kind: "order",
        refId: sql<string>`CAST(${order} AS TEXT)`,
        amountMinor: priced.total,
        currency: body.currency,
      }),
    ],
    sql<Drafted>`SELECT json_object('id', ${salesOrders.id}, 'order_number', ${salesOrders.orderNumber},
      'intent_id', ${intentOf(ctx)}) FROM ${salesOrders} WHERE ${here}`,
  );
  const opened = await openIntent(
    ctx,
    account,
    drafted.intent_id,
    {
      kind: "order",
      refId: String(drafted.id),
      number: drafted.order_number,
      description: `Order ${drafted.order_number}`,
      amountMinor: priced.total,
      currency: body.currency,
      returnUrl: body.return_url,
      cancelUrl: body.cancel_url,
      customer: { name, email, phone },
    },
    [
      sql`UPDATE ${salesOrders} SET status = 'cancelled', updated_at = ${ctx.now} WHERE ${here} AND status = 'draft'`,
    ],
  );
  return { ...drafted, total: priced.total, currency: body.currency, opened };
}

export function renderCheckout({
  id,
  order_number,
  total,
  currency,
  opened,
}: Awaited<ReturnType<typeof checkout>>) {
  return {
    success: true as const,
    order_id: id,
    order_number,
    total_amount: moneyToWire(total),
    currency,
    gateway: opened.gateway,
    payment_data: opened.paymentData,
  };
}

function visitorOf(customer: Checkout["customer"], companyCountry: string): Visitor {
  const filled = (text: string | null | undefined) => (text == null || text === "" ? null : text);
  return {
    name: customer.name,
    email: customer.email,
    phone: filled(customer.phone),
    address: filled(customer.address),
    city: filled(customer.city),
    state: filled(customer.state),
    pincode: filled(customer.pincode),
    country: countryCode(filled(customer.country) ?? companyCountry),
  };
}

// Shops send what their forms have; up to five characters are allowed.
const NAMED = new Map([
  ["IND", "IN"],
  ["INDIA", "IN"],
  ["AUS", "AU"],
  ["USA", "US"],
  ["GBR", "GB"],
  ["UK", "GB"],
]);

function countryCode(country: string): string {
  const upper = country.toUpperCase();
  return NAMED.get(upper) ?? upper;
}
