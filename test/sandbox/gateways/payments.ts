import { GATEWAYS, type GatewayAccount } from "#providers/payment";
import { reportOf } from "../../../src/providers/payment/gateway.ts";
import { settingsOf } from "../../../src/sandbox/demo/demo-gateways.ts";
import type { Kind, Merchant } from "../../../src/sandbox/gateways/merchants.ts";
import type { Refund } from "../../../src/sandbox/gateways/refunds.ts";
import { basic, call, gateways, openAccount, pay, type Received, received, receiver } from "./harness.ts";

// workerd knows hexadecimal by itself; Node does not yet.
Object.assign(Uint8Array, { fromHex: (text: string) => Uint8Array.from(Buffer.from(text, "hex")) });
Object.assign(Uint8Array.prototype, {
  toHex(this: Uint8Array) {
    return Buffer.from(this).toString("hex");
  },
});

/** An order at a gateway, and what calls its API as the account it is of. */
export type Ordered = { kind: Kind; merchant: Merchant; authorization: string; order: string };
export type Paid = Ordered & { payment: string };

/** How a gateway says and does what all of them do. */
export type Ways = {
  currency: string;
  /** Whether it opens a payment of one name once, and has a page of its own for the payer. */
  opens: { once: boolean; page: boolean };
  /** What it calls the states of a refund. */
  states: Record<"succeeded" | "failed" | "pending", string>;
  /** The events of a refund: one made at once; one that waits, and how it ends. */
  events: Record<"made" | "waiting" | "succeeded" | "failed", string[]>;
  /** In which words it refuses a refund; `poor` is null where it takes one that the account has too little money for. */
  refusals: Record<"tooMuch" | "nothingLeft" | "uncaptured" | "foreign" | "takenBack", string> & {
    poor: RegExp | null;
  };
  /** What a payer can do that leaves nothing to give back. */
  uncaptured: string;
  /** Hours after which a refund is made anew for the same key; of a key that is known for ever, none. */
  forgetsAfter: { hours: number; isKnown: boolean };
  /** What it answers another refund under a known key. */
  sameKey: "the first again" | "a refusal";
  /** Whether a refund can fail after it had succeeded by a person's hand, not by a fault. */
  failsByHand: boolean;
  /** The events of a payer's bank that takes a payment back, and of its money that comes again where it can. */
  chargeback: { kind: "chargeback"; events: string[]; reversed: string[] | null };
};

export const AMOUNT = 10_000;
export const PART = 4_000;
export const KEY = "rf-01KAJ7Q3M8Z5T1V9B2C4D6F8GH";
const CURRENCY: Record<Kind, string> = { razorpay: "INR", stripe: "INR", paypal: "USD" };

/** An account as the project's own client of its gateway knows it. */
const accountOf = (merchant: Merchant): GatewayAccount => ({
  mode: "test",
  credentials: settingsOf(merchant).credentials,
  address: `${gateways.url}/${merchant.kind}`,
});

/** What is to be paid: 100.00. */
export const payableOf = ({ company, kind }: Merchant, reference: string = crypto.randomUUID()) => ({
  ...{ reference, company, companyName: company, kind: "order" as const, amount: AMOUNT },
  ...{ receipt: "SO/26-27/00001", description: "Order SO/26-27/00001 – Zoë", currency: CURRENCY[kind] },
  ...{ returnUrl: "http://localhost/thanks", cancelUrl: "http://localhost/cart", returnsTo: "shop" },
  customer: { name: "Asha", email: "asha@example.com", phone: null },
});
const intentOf = ({ kind, order }: Pick<Ordered, "kind" | "order">) => ({
  ...{ id: 1, gatewayOrderId: order, amount: AMOUNT, currency: CURRENCY[kind] },
});

/** An order at an account of its own; PayPal's is captured once its payer agrees, as the Worker does. */
export async function newOrder(kind: Kind): Promise<Ordered> {
  const merchant = openAccount(kind);
  const account = accountOf(merchant);
  const authorization = await authorizationOf(merchant);
  const { gatewayOrderId: order } = await GATEWAYS[kind].open(account, payableOf(merchant));
  if (kind === "paypal")
    receiver.answer = async ({ body }) => {
      if (!body.includes("CHECKOUT.ORDER.APPROVED")) return 200;
      await GATEWAYS.paypal.capture(account, intentOf({ kind, order }), undefined as never);
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

/** The project's own client of a gateway, as it speaks to the stand-in. */
export function clientOf(kind: Kind) {
  const gateway = GATEWAYS[kind];
  const refundOf = ({ payment, order, merchant }: Paid, fields = {}) => ({
    ...{
      key: KEY,
      company: merchant.company,
      gatewayPaymentId: payment,
      gatewayOrderId: order,
      amount: PART,
    },
    ...{ currency: CURRENCY[kind], isDuplicate: false, isInstant: false, ...fields },
  });
  const deliveryOf = ({ headers, body }: Received) => ({
    headers: new Headers(headers as Record<string, string>),
    body: Uint8Array.from(new TextEncoder().encode(body)),
    receivedAt: Date.now(),
  });
  const read = ({ merchant }: Ordered) =>
    Promise.all(
      received.map((one) => gateway.read(accountOf(merchant), JSON.parse(one.body), deliveryOf(one))),
    );
  return {
    open: (merchant: Merchant, payable = payableOf(merchant)) => gateway.open(accountOf(merchant), payable),
    give: (paid: Paid, fields = {}) => gateway.refund(accountOf(paid.merchant), refundOf(paid, fields)),
    /** Takes an authorized payment. */
    capture: (paid: Paid) =>
      gateway.capture(
        accountOf(paid.merchant),
        intentOf(paid),
        reportOf("capture", { gatewayPaymentId: paid.payment }),
      ),
    look: (paid: Omit<Paid, "order"> & { order: string | null }) =>
      gateway.lookRefunds(accountOf(paid.merchant), {
        gatewayPaymentId: paid.payment,
        gatewayOrderId: paid.order,
      }),
    cancel: ({ merchant, order }: Ordered) => gateway.cancel?.(accountOf(merchant), order),
    /** What it says of an order when it is asked. */
    lookAt: (of: Ordered, merchant = of.merchant) => gateway.look(accountOf(merchant), intentOf(of)),
    verify: ({ merchant }: Ordered, one: Received, secret = merchant.webhook_secret) =>
      gateway.verify(accountOf({ ...merchant, webhook_secret: secret }), [secret], deliveryOf(one)),
    /** The reports of money that came, in what was received. */
    payments: async (of: Ordered) =>
      (await read(of)).flatMap(({ report }) => (report.state === "paid" ? report : [])),
    /** The reports of money that went back. */
    refunds: async (of: Ordered) => (await read(of)).flatMap((event) => event.refunds),
  };
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

export function setFaults({ merchant }: Ordered, rates: object): void {
  gateways.faults.set(merchant.account, rates);
}

/** In which words, or by which code, a gateway refused. */
export function said({ body }: Awaited<ReturnType<typeof call>>): string {
  const { code, description, message } = body.error ?? {};
  return body.details?.[0].issue ?? description ?? code ?? message;
}
