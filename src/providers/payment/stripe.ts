import { decode, verifies } from "#core/secrets/signatures.ts";
import { CURRENCIES } from "#shared/payments/gateways.ts";
import { at, textAt, wholeAt } from "../json.ts";
import {
  type Gateway,
  type GatewayAccount,
  GatewayError,
  type GatewayReport,
  type Payable,
  referenceIn,
  reportOf,
} from "./gateway.ts";
import { ask } from "./gateway-request.ts";

const VERSION = "2025-09-30.clover";
const TOLERANCE_SECONDS = 300;

/** Stripe: Checkout sessions, paid on a page of Stripe's (https://docs.stripe.com/api/checkout/sessions). */
export const stripe: Gateway = {
  addresses: { live: "https://api.stripe.com", test: "https://api.stripe.com" },
  currencies: CURRENCIES,
  credentials: ["secret_key", "publishable_key"],
  hasWebhookSecret: true,

  async open(account, payable) {
    const session = await ask(`${account.address}/v1/checkout/sessions`, {
      headers: {
        ...headersOf(account),
        "Idempotency-Key": payable.reference,
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: sessionForm(payable).toString(),
    });
    const id = textAt(session, "id");
    const url = textAt(session, "url");
    if (id === null || url === null || wholeAt(session, "amount_total") !== payable.amount)
      throw new GatewayError("Stripe opened another session than the one asked for", false);
    return {
      gatewayOrderId: id,
      paymentUrl: url,
      paymentData: {
        session_id: id,
        checkout_url: url,
        publishable_key: account.credentials.publishable_key ?? "",
        gateway_order_id: id,
      },
    };
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

  read(account, event) {
    const created = wholeAt(event, "created");
    const type = textAt(event, "type") ?? "";
    const session = at(event, "data", "object");
    const fits = at(event, "livemode") === (account.mode === "live");
    return Promise.resolve({
      id: textAt(event, "id") ?? "",
      occurredAt: created === null ? null : created * 1_000,
      report: fits ? sessionReport(type, session) : reportOf(type),
    });
  },

  /** Stripe takes the money itself. */
  capture: (_account, _intent, agreed) => Promise.resolve({ ...agreed, state: "ignored" }),

  async look(account, intent) {
    const url = `${account.address}/v1/checkout/sessions/${encodeURIComponent(intent.gatewayOrderId)}`;
    const session = await ask(url, { method: "GET", headers: headersOf(account) });
    const type = textAt(session, "status") === "expired" ? "checkout.session.expired" : COMPLETED;
    return [sessionReport(type, session)];
  },
};

const COMPLETED = "checkout.session.completed";
const PAYING = new Set([COMPLETED, "checkout.session.async_payment_succeeded"]);
const CLOSING = new Set(["checkout.session.async_payment_failed", "checkout.session.expired"]);

function sessionReport(type: string, session: unknown): GatewayReport {
  const ours = textAt(session, "mode") === "payment";
  const paid = PAYING.has(type) && textAt(session, "payment_status") === "paid";
  const said = {
    gatewayOrderId: textAt(session, "id"),
    gatewayPaymentId: textAt(session, "payment_intent"),
    amount: wholeAt(session, "amount_total"),
    currency: textAt(session, "currency")?.toUpperCase() ?? null,
    reference: referenceIn(at(session, "metadata")),
  };
  if (ours && paid) return reportOf(type, { ...said, state: "paid" });
  return reportOf(type, { ...said, state: ours && CLOSING.has(type) ? "closed" : "ignored" });
}

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
  if (customer.email !== null) form.set("customer_email", customer.email);
  for (const [name, value] of Object.entries({ company, kind, reference })) {
    form.set(`metadata[${name}]`, value);
    form.set(`payment_intent_data[metadata][${name}]`, value);
  }
  return form;
}

function headersOf({ credentials }: GatewayAccount): Record<string, string> {
  return { Authorization: `Bearer ${credentials.secret_key}`, "Stripe-Version": VERSION };
}
