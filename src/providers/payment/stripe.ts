import { decode, verifies } from "#core/secrets/signatures.ts";
import { CURRENCIES } from "#shared/payments/gateways.ts";
import { at, textAt, wholeAt } from "../json.ts";
import {
  type Gateway,
  type GatewayAccount,
  GatewayError,
  type GatewayReport,
  type Payable,
  type RefundReport,
  referenceIn,
  reportOf,
} from "./gateway.ts";
import { ask, askForMoney } from "./gateway-request.ts";
import { asOrdered, asRefused, refundReport } from "./refund-report.ts";

const VERSION = "2025-09-30.clover";
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

  read(account, event) {
    const created = wholeAt(event, "created");
    const type = textAt(event, "type") ?? "";
    const object = at(event, "data", "object");
    const fits = at(event, "livemode") === (account.mode === "live");
    const isRefund = MONEY_BACK.has(type);
    return Promise.resolve({
      id: textAt(event, "id") ?? "",
      occurredAt: created === null ? null : created * 1_000,
      report: fits && !isRefund ? sessionReport(type, object) : reportOf(type),
      refund: fits && isRefund ? moneyBack(type, object) : null,
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

  /** The newest first, a hundred at most (https://docs.stripe.com/api/refunds/list). */
  async lookRefunds(account, { gatewayPaymentId }) {
    const url = `${account.address}/v1/refunds?limit=100&payment_intent=${encodeURIComponent(gatewayPaymentId)}`;
    const found = at(await ask(url, { method: "GET", headers: headersOf(account) }).catch(asRefused), "data");
    return (Array.isArray(found) ? found : []).flatMap((refund) => moneyBack("look", refund) ?? []);
  },
};

/** What reports money that went back, or came again (https://docs.stripe.com/api/events/types); the last of refunds is of older versions. */
const MONEY_BACK = new Map<string, RefundReport["kind"]>([
  ["refund.created", "refund"],
  ["refund.updated", "refund"],
  ["refund.failed", "refund"],
  ["charge.refund.updated", "refund"],
  ["charge.dispute.funds_withdrawn", "chargeback"],
  ["charge.dispute.funds_reinstated", "chargeback_reversed"],
]);

/** What waits for the bank, or for the payer to act, is pending (https://docs.stripe.com/api/refunds/object). */
const REFUND_STATES = new Map<string, RefundReport["state"]>([
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);

/** A refund, or a dispute that moved money; one of a charge that was never captured moves none. */
function moneyBack(type: string, object: unknown): RefundReport | null {
  const kind = MONEY_BACK.get(type) ?? "refund";
  if (textAt(object, "reason") === "expired_uncaptured_charge") return null;
  const status = textAt(object, "status") ?? "";
  const state = kind === "refund" ? (REFUND_STATES.get(status) ?? "pending") : "succeeded";
  return refundReport({
    type,
    kind,
    gatewayRefundId: textAt(object, "id"),
    gatewayPaymentId: textAt(object, "payment_intent"),
    key: textAt(object, "metadata", "refund"),
    amount: wholeAt(object, "amount"),
    currency: textAt(object, "currency"),
    state,
    failureCode: state === "failed" ? (textAt(object, "failure_reason") ?? status) : null,
  });
}

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
    returnsTo: textAt(session, "metadata", "returns_to"),
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
  form.set("metadata[returns_to]", payable.returnsTo);
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

function formHeadersOf(account: GatewayAccount, key: string): Record<string, string> {
  const type = "application/x-www-form-urlencoded";
  return { ...headersOf(account), "Idempotency-Key": key, "Content-Type": type };
}
