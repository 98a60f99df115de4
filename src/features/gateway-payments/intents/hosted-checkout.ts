import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { EncryptionCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { GATEWAYS } from "#providers/payment";
import { gatewayAccounts, paymentIntents } from "#tables/gateway-payments";
import { openAccount } from "../gateways/secret-kinds.ts";
import { type IntentRow, isOpenOf } from "./open-intent.ts";

/** How a page of ours takes a payment whose gateway gave it no page of its own. */
export type HostedCheckout = {
  /** A form that brings a payer to the gateway's own page, without script. */
  action: string;
  fields: Record<string, string>;
  /** The gateway's script, which takes the same fields in a window over the page. */
  script: string;
  /** What that script loads and asks, as directives of the page's policy. */
  sources: string;
};

const CHECKOUT = "https://checkout.razorpay.com";

/** The address of the script of Razorpay's Checkout; in a sandbox, that of its stand-in. */
export function checkoutScript({ services }: Pick<OutsideCtx, "services">): string {
  return `${services.addressOf("razorpay", CHECKOUT)}/v1/checkout.js`;
}

/**
 * Razorpay's hosted checkout and its Checkout for a payment that was opened
 * (https://razorpay.com/docs/payments/payment-gateway/web-integration/hosted/build-integration).
 */
export function hostedCheckout(
  ctx: OutsideCtx,
  data: Record<string, unknown>,
  addresses: { callbackUrl: string; cancelUrl: string },
): HostedCheckout {
  const { name, email, contact } = Object(data.prefill) as Record<string, string | null>;
  const fields: Record<string, unknown> = {
    key_id: data.key_id,
    order_id: data.razorpay_order_id,
    amount: data.amount,
    currency: data.currency,
    name: data.name,
    "prefill[name]": name,
    "prefill[email]": email,
    "prefill[contact]": contact,
    callback_url: addresses.callbackUrl,
    cancel_url: addresses.cancelUrl,
  };
  const known = Object.entries(fields).filter(([, value]) => value != null);
  const address = ctx.services.addressOf("razorpay", GATEWAYS.razorpay.addresses.live);
  const script = checkoutScript(ctx);
  const [api, checkout] = [new URL(address).origin, new URL(script).origin];
  return {
    action: `${address}/v1/checkout/embedded`,
    fields: Object.fromEntries(known.map(([key, value]) => [key, String(value)])),
    script,
    sources: [
      `script-src 'self' ${checkout} https://cdn.razorpay.com`,
      `frame-src ${api} ${checkout}`,
      `connect-src 'self' ${api} https://lumberjack.razorpay.com`,
      "img-src 'self' data: https://*.razorpay.com",
    ].join("; "),
  };
}

/** The newest payment of a record, whose payer was not led on when it was opened, with what the payer needs. */
export type WaitingCheckout = { amount: number; currency: string; data: Record<string, unknown> };

/** What the payer needs of the newest payment of a record; undefined where none waits. */
export async function waitingCheckout(
  ctx: ReadCtx & EncryptionCtx & OutsideCtx,
  kind: IntentRow["kind"],
  refId: string,
): Promise<WaitingCheckout | undefined> {
  const { gatewayAccountId, gatewayOrderId: order, id } = paymentIntents;
  const [[waiting]] = await ctx.database.read([
    ctx.db
      .select({
        order,
        amount: paymentIntents.amount,
        currency: paymentIntents.currency,
        account: gatewayAccounts,
      })
      .from(paymentIntents)
      .innerJoin(gatewayAccounts, eq(gatewayAccounts.id, gatewayAccountId))
      .where(
        and(
          isOpenOf(kind, refId),
          eq(paymentIntents.gateway, "razorpay"),
          isNotNull(order),
          eq(gatewayAccounts.isActive, 1),
        ),
      )
      .orderBy(desc(id))
      .limit(1),
  ]);
  if (waiting === undefined) return undefined;
  const { account, amount, currency } = waiting;
  const { key_id } = (await openAccount(ctx, account)).credentials;
  const data = { key_id, razorpay_order_id: waiting.order, amount, currency, name: ctx.company.name };
  return { amount, currency, data };
}
