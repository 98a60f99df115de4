import { decode, verifies } from "#core/secrets/signatures.ts";
import { CURRENCIES } from "#shared/payments/gateways.ts";
import { textAt, wholeAt } from "../json.ts";
import { type Gateway, type GatewayAccount, GatewayError, type Payable } from "./gateway.ts";
import { ask, askForMoney } from "./gateway-request.ts";
import { asOrdered, asRefused } from "./refund-report.ts";
import {
  COMPLETED,
  EXPIRED,
  lookStripeRefunds,
  moneyBack,
  readStripeEvent,
  STRIPE_FORMS,
  sessionReport,
} from "./stripe-events.ts";
import { headersOf } from "./stripe-request.ts";

const TOLERANCE_SECONDS = 300;

/** Stripe: Checkout sessions, paid on a page of Stripe's (https://docs.stripe.com/api/checkout/sessions). */
export const stripe: Gateway = {
  addresses: { live: "https://api.stripe.com", test: "https://api.stripe.com" },
  currencies: CURRENCIES,
  credentials: ["secret_key", "publishable_key"],
  hasWebhookSecret: true,

  paymentData: ({ credentials }, _payable, { gatewayOrderId, paymentUrl }) => ({
    session_id: gatewayOrderId,
    checkout_url: paymentUrl,
    publishable_key: credentials.publishable_key ?? "",
    gateway_order_id: gatewayOrderId,
  }),

  async open(account, payable) {
    const session = await ask(`${account.address}/v1/checkout/sessions`, {
      headers: formHeadersOf(account, payable.reference),
      body: sessionForm(payable).toString(),
    });
    const id = textAt(session, "id");
    const url = textAt(session, "url");
    if (id === null || url === null || wholeAt(session, "amount_total") !== payable.amount)
      throw new GatewayError("Stripe opened another session than the one asked for", false);
    return { gatewayOrderId: id, paymentUrl: url };
  },

  async verify(_account, secrets, { headers, body, receivedAt }) {
    const parts = (headers.get("Stripe-Signature") ?? "").split(",").map((part) => part.trim().split("=", 2));
    const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
    if (!/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(Math.floor(receivedAt / 1_000) - Number(timestamp)) > TOLERANCE_SECONDS) return false;
    const signatures = parts
      .flatMap(([name, value = ""]) => (name === "v1" ? [decode(value, "hex")] : []))
      .slice(0, 10);
    const matches = await Promise.all(
      secrets.flatMap((secret) =>
        signatures.map((signature) => verifies("SHA-256", secret, signature, `${timestamp}.`, body)),
      ),
    );
    return matches.includes(true);
  },

  forms: STRIPE_FORMS,
  typeOf: (event) => textAt(event, "type") ?? "",

  read: readStripeEvent,

  /** Stripe takes the money itself. */
  capture: (_account, _intent, agreed) => Promise.resolve({ ...agreed, state: "ignored" }),

  /** An error unless it is open (https://docs.stripe.com/api/checkout/sessions/expire). */
  cancel: (account, id) => ask(`${sessionAddress(account, id)}/expire`, { headers: headersOf(account) }),

  async look(account, intent) {
    const session = await ask(sessionAddress(account, intent.gatewayOrderId), {
      method: "GET",
      headers: headersOf(account),
    });
    const type = textAt(session, "status") === "expired" ? EXPIRED : COMPLETED;
    return [sessionReport(type, session)];
  },

  /** The key is kept for 24 hours at least, with the answer, a 500 too (https://docs.stripe.com/api/idempotent_requests). */
  async refund(account, order) {
    const { key, company, gatewayPaymentId, amount, isDuplicate } = order;
    const form = new URLSearchParams({
      payment_intent: gatewayPaymentId,
      amount: String(amount),
      reason: isDuplicate ? "duplicate" : "requested_by_customer",
      "metadata[company]": company,
      "metadata[refund]": key,
    });
    const answer = await askForMoney(`${account.address}/v1/refunds`, {
      headers: formHeadersOf(account, key),
      body: form.toString(),
    }).catch(asRefused);
    return asOrdered(moneyBack("refund", answer), order);
  },

  lookRefunds: lookStripeRefunds,
};

const sessionAddress = ({ address }: GatewayAccount, id: string) =>
  `${address}/v1/checkout/sessions/${encodeURIComponent(id)}`;

/** One line for the whole: Stripe's quantities are whole numbers, ours go to thousandths. */
function sessionForm(payable: Payable): URLSearchParams {
  const { company, kind, reference, customer, currency } = payable;
  const form = new URLSearchParams({
    mode: "payment",
    success_url: payable.returnUrl,
    cancel_url: payable.cancelUrl,
    client_reference_id: `${company}:${kind}:${reference}`,
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": currency.toLowerCase(),
    "line_items[0][price_data][unit_amount]": String(payable.amount),
    "line_items[0][price_data][product_data][name]": payable.description,
  });
  form.set("metadata[returns_to]", payable.returnsTo);
  if (customer.email !== null) form.set("customer_email", customer.email);
  for (const [name, value] of Object.entries({ company, kind, reference })) {
    form.set(`metadata[${name}]`, value);
    form.set(`payment_intent_data[metadata][${name}]`, value);
  }
  return form;
}

function formHeadersOf(account: GatewayAccount, key: string): Record<string, string> {
  const type = "application/x-www-form-urlencoded";
  return { ...headersOf(account), "Idempotency-Key": key, "Content-Type": type };
}
