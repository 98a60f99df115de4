import type { Kind, Merchant } from "../../../src/sandbox/gateways/merchants.ts";
import type { Refund } from "../../../src/sandbox/gateways/refunds.ts";
import { basic, call, gateways, openAccount, pay, received, receiver } from "./harness.ts";

/** An order at a gateway, and what calls its API as the account it is of. */
export type Ordered = { kind: Kind; merchant: Merchant; authorization: string; order: string };
export type Paid = Ordered & { payment: string };

export const AMOUNT = 10_000;
export const PART = 4_000;
export const KEY = "rf-01KAJ7Q3M8Z5T1V9B2C4D6F8GH";

/** An order of 100.00 at an account of its own; PayPal's is captured once its payer agrees, as the Worker does. */
export async function newOrder(kind: Kind): Promise<Ordered> {
  const merchant = openAccount(kind);
  const authorization = await authorizationOf(merchant);
  const order = await orderAt(kind, authorization);
  if (kind === "paypal")
    receiver.answer = async ({ body }) => {
      const { event_type, resource } = JSON.parse(body);
      if (event_type === "CHECKOUT.ORDER.APPROVED")
        await call(`/paypal/v2/checkout/orders/${resource.id}/capture`, authorization, {});
      return 200;
    };
  return { kind, merchant, authorization, order };
}

/** A payment of such an order; its webhooks are forgotten. */
export async function newPayment(kind: Kind, outcome = "paid"): Promise<Paid> {
  const ordered = await newOrder(kind);
  const { body } = await pay(kind, ordered.order, outcome);
  received.length = 0;
  return { ...ordered, payment: body.payment_ids[0] };
}

export async function authorizationOf(merchant: Merchant): Promise<string> {
  if (merchant.kind === "razorpay") return basic(merchant);
  if (merchant.kind === "stripe") return `Bearer ${merchant.secret}`;
  const { body } = await call("/paypal/v1/oauth2/token", basic(merchant), "grant_type=client_credentials");
  return `Bearer ${body.access_token}`;
}

async function orderAt(kind: Kind, authorization: string): Promise<string> {
  if (kind === "razorpay")
    return (await call("/razorpay/v1/orders", authorization, { amount: AMOUNT, currency: "INR" })).body.id;
  const back = "http://localhost/thanks";
  if (kind === "stripe") {
    const form = new URLSearchParams({
      mode: "payment",
      success_url: back,
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": "inr",
      "line_items[0][price_data][unit_amount]": String(AMOUNT),
      "line_items[0][price_data][product_data][name]": "Order",
    });
    return (await call("/stripe/v1/checkout/sessions", authorization, form.toString())).body.id;
  }
  const order = {
    intent: "CAPTURE",
    purchase_units: [{ amount: { currency_code: "USD", value: "100.00" } }],
    payment_source: { paypal: { experience_context: { return_url: back, cancel_url: back } } },
  };
  return (await call("/paypal/v2/checkout/orders", authorization, order)).body.id;
}

const KEY_HEADER: Record<Kind, string> = {
  razorpay: "X-Refund-Idempotency",
  stripe: "Idempotency-Key",
  paypal: "PayPal-Request-Id",
};

/** Asks a gateway's API for a refund, as the Worker does. */
export function refund({ kind, authorization, payment }: Paid, amount: number | null = AMOUNT, key = KEY) {
  const headers = { [KEY_HEADER[kind]]: key };
  if (kind === "razorpay") {
    const body = { ...(amount !== null && { amount }), receipt: key };
    return call(`/razorpay/v1/payments/${payment}/refund`, authorization, body, headers);
  }
  if (kind === "stripe") {
    const form = new URLSearchParams({ payment_intent: payment, "metadata[refund]": key });
    if (amount !== null) form.set("amount", String(amount));
    return call("/stripe/v1/refunds", authorization, form.toString(), headers);
  }
  const value = { value: ((amount ?? 0) / 100).toFixed(2), currency_code: "USD" };
  const body = { ...(amount !== null && { amount: value }), custom_id: key };
  const whole = { ...headers, Prefer: "return=representation" };
  return call(`/paypal/v2/payments/captures/${payment}/refund`, authorization, body, whole);
}

/** The gateway's own ledger of an account. */
export async function ledger({ merchant }: Paid): Promise<Refund[]> {
  return (await call(`/pay/refunds/${merchant.account}`, "")).body;
}

/** Lets money go back without the API. */
export function moneyBack({ merchant, payment }: Paid, body: object) {
  return call(`/pay/accounts/${merchant.account}/payments/${payment}`, "", body);
}

/** Ends a refund. */
export function end(id: string, outcome: string) {
  return call(`/pay/refunds/${id}`, "", { outcome });
}

export function setFaults({ merchant }: Paid, rates: object): void {
  gateways.faults.set(merchant.account, rates);
}

/** In which words, or by which code, a gateway refused. */
export function said({ body }: Awaited<ReturnType<typeof call>>): string {
  const { code, description, message } = body.error ?? {};
  return body.details?.[0].issue ?? description ?? code ?? message;
}
