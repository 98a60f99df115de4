import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Changes, Ctx, ReadCtx } from "#core/context.ts";
import { atomic, refuseWhen } from "#core/write/atomic.ts";
import { withEventsOf, withoutNotices } from "#core/write/events.ts";
import {
  type AccountRow,
  accountsFor,
  askFirst,
  cancelAtGateway,
  type IntentRow,
  type Opened,
  openAtGateway,
  openedBefore,
  type PaymentRequest,
  replaceIntents,
  selectOpen,
} from "#features/gateway-payments";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { paymentIntents } from "#tables/gateway-payments";
import { salesOrders } from "#tables/storefront";
import { orderEffects } from "../orders/payment-effects.ts";
import { gateway } from "../orders/record.ts";
import type { Checkout, CheckoutWarning } from "./schema.ts";
import { shopperOf } from "./shopper.ts";

/** What a checkout of a known customer leaves events of. */
export const ORDER_ALONE: Changes["names"] = ["order"];

/** What a checkout answers; without an opened payment where there is nothing to pay. */
export type CheckedOut = {
  id: number;
  order_number: string;
  total: number;
  currency: string;
  gateway: IntentRow["gateway"];
  opened: Opened | undefined;
  warnings: CheckoutWarning[];
};

/**
 * The answer of a checkout whose order stands: with the payment that is open, or one in place of it where that ran out; paid,
 * without one.
 */
export function checkoutAgain(ctx: Ctx, orderId: string, body: Checkout): Promise<CheckedOut> {
  const call = { ...ctx.call, externalId: undefined };
  return ctx.oneByOne(`pay:order:${orderId}`, () => payAgain({ ...ctx, call }, Number(orderId), body));
}

async function payAgain(ctx: Ctx, id: number, body: Checkout): Promise<CheckedOut> {
  const [[seen], [account], open] = await ctx.database.read([
    selectOrder(ctx, id),
    accountsFor({ currency: body.currency }),
    selectOpen(ctx, "order", String(id)),
  ]);
  const { hasNews, usable } = await askFirst(ctx, orderEffects, open);
  const [[order = seen]] = hasNews ? await ctx.database.read([selectOrder(ctx, id)]) : [[seen]];
  if (order === undefined) throw new Problem("external_id_retired");
  const { payment, ...row } = order;
  if (payment !== "unpaid") return { ...row, opened: undefined, warnings: [] };
  if (account === undefined) throw noGateway(body.currency);
  const request = paymentOf(ctx, body, row.total);
  const opened =
    (await openedBefore(ctx, account, usable, request)) ?? (await openAtGateway(ctx, account, request));
  if (!open.some(({ intent }) => intent.gatewayOrderId === opened.gatewayOrderId))
    await replaceIntent(ctx, row, { account, open, opened });
  return { ...row, gateway: opened.gateway, opened, warnings: [] };
}

function selectOrder(ctx: ReadCtx, id: number) {
  return ctx.db
    .select({
      id: salesOrders.id,
      order_number: salesOrders.orderNumber,
      total: salesOrders.totalAmount,
      currency: salesOrders.currency,
      payment: salesOrders.paymentStatus,
      gateway: sql<IntentRow["gateway"]>`${gateway}`,
    })
    .from(salesOrders)
    .where(eq(salesOrders.id, id));
}

type Replacing = {
  account: AccountRow;
  open: readonly { intent: IntentRow; account: AccountRow }[];
  opened: Opened;
};

/** Stores a payment in place of those that were open; refused where another call did so, or the order was paid. */
async function replaceIntent(
  ctx: Ctx,
  { id, total, currency }: Pick<CheckedOut, "id" | "total" | "currency">,
  { account, open, opened }: Replacing,
): Promise<void> {
  const moved = (condition: SQL) => refuseWhen(condition, "intent_moved");
  const here = and(eq(salesOrders.id, id), eq(salesOrders.paymentStatus, "unpaid"));
  const newest = open[0]?.intent.id ?? 0;
  await atomic(
    withoutNotices(withEventsOf(ctx, ORDER_ALONE)),
    [
      moved(sql`NOT EXISTS (SELECT 1 FROM ${salesOrders} WHERE ${here})`),
      moved(sql`EXISTS (SELECT 1 FROM ${paymentIntents} WHERE ${paymentIntents.kind} = 'order'
        AND ${paymentIntents.refId} = ${String(id)} AND ${paymentIntents.status} = 'created' AND ${paymentIntents.id} > ${newest})`),
      ...replaceIntents(ctx, open, account, {
        ...{ kind: "order", refId: String(id), amountMinor: total, currency, ...opened },
      }),
    ],
    sql`SELECT json_object('id', ${id}) AS snapshot`,
    { intent_moved: () => retryLater("unavailable", 1_000) },
  );
  await cancelAtGateway(ctx, open);
}

/** What the gateway is asked to take for an order. */
export function paymentOf(ctx: ReadCtx, body: Checkout, amountMinor: number): PaymentRequest {
  const { name, email, phone } = shopperOf(body.customer);
  return {
    kind: "order",
    description: ctx.company.name,
    amountMinor,
    currency: body.currency,
    returnUrl: body.return_url,
    cancelUrl: body.cancel_url,
    customer: { name, email, phone },
  };
}

/** The 400 of a currency that no gateway of the company takes. */
export function noGateway(currency: string): Problem {
  const help = "add one under /settings/{company}/payment-gateways";
  return new Problem("payment_gateway_unavailable", {
    message: `No payment gateway is active for ${currency}: ${help}`,
  });
}
