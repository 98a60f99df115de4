import { sha256Hex } from "#core/secrets/hash.ts";
import { decode, verifies } from "#core/secrets/signatures.ts";
import { CURRENCIES } from "#shared/payments/gateways.ts";
import { at, listAt, textAt, wholeAt } from "../json.ts";
import { basic } from "../message-request.ts";
import { formsOf } from "./event-form.ts";
import {
  type Gateway,
  type GatewayAccount,
  GatewayError,
  type GatewayReport,
  type RefundedPayment,
  type RefundReport,
  referenceIn,
  reportOf,
} from "./gateway.ts";
import { ask, askForMoney } from "./gateway-request.ts";
import { hundredths } from "./minor-units.ts";
import { asOrdered, asRefused, refundReport } from "./refund-report.ts";

const CAPTURE = {
  capture: "automatic",
  capture_options: { automatic_expiry_period: 12, manual_expiry_period: 7200, refund_speed: "optimum" },
};

const PAYMENT_EVENTS = ["payment.authorized", "payment.captured", "payment.failed", "order.paid"];
const REFUND_EVENTS = new Set(["refund.created", "refund.processed", "refund.failed"]);
const DISPUTE_LOST = "payment.dispute.lost";

/** Razorpay: orders, paid in a form of its own on the shop's page (https://razorpay.com/docs/api/orders). */
export const razorpay: Gateway = {
  addresses: { live: "https://api.razorpay.com", test: "https://api.razorpay.com" },
  currencies: CURRENCIES,
  credentials: ["key_id", "key_secret"],
  hasWebhookSecret: true,

  paymentData: ({ credentials }, { amount, currency, companyName, customer }, { gatewayOrderId }) => ({
    key_id: credentials.key_id ?? "",
    razorpay_order_id: gatewayOrderId,
    amount,
    currency,
    name: companyName,
    prefill: { name: customer.name, email: customer.email, contact: customer.phone },
    gateway_order_id: gatewayOrderId,
  }),

  async open(account, payable) {
    const { amount, currency } = payable;
    const order = await ask(`${account.address}/v1/orders`, {
      headers: headersOf(account),
      body: JSON.stringify({
        amount,
        currency,
        receipt: payable.receipt.slice(0, 40),
        notes: { company: payable.company, kind: payable.kind, reference: payable.reference },
        payment: CAPTURE,
      }),
    });
    const id = textAt(order, "id");
    if (id === null || wholeAt(order, "amount") !== amount || textAt(order, "currency") !== currency)
      throw new GatewayError("Razorpay opened another order than the one asked for", false);
    return { gatewayOrderId: id, paymentUrl: null };
  },

  async verify(_account, secrets, { headers, body }) {
    const signature = decode(headers.get("X-Razorpay-Signature") ?? "", "hex");
    const matches = await Promise.all(secrets.map((secret) => verifies("SHA-256", secret, signature, body)));
    return matches.includes(true);
  },

  forms: {
    ...formsOf(PAYMENT_EVENTS, "payload.payment.entity.", ["id", "amount", "currency", "status"]),
    ...formsOf(["order.paid"], "payload.order.entity.", ["id", "amount", "amount_paid", "amount_due"]),
    ...formsOf([...REFUND_EVENTS], "payload.refund.entity.", ["id", "payment_id", "amount", "status"]),
    ...formsOf([DISPUTE_LOST], "payload.dispute.entity.", ["id", "payment_id", "amount_deducted"]),
  },
  typeOf: (event) => textAt(event, "event") ?? "",

  async read(_account, event, { headers, body }) {
    const type = razorpay.typeOf(event);
    const created = wholeAt(event, "created_at");
    // The header with the event's id is not signed, so it names an event only together with what is.
    const id = `${headers.get("x-razorpay-event-id")?.slice(0, 100) ?? ""}:${await sha256Hex(body)}`;
    const occurredAt = created === null ? null : created * 1_000;
    const isLost = type === DISPUTE_LOST;
    if (!isLost && !type.startsWith("refund."))
      return { id, occurredAt, report: reportIn(type, event), refunds: [] };
    const refund = isLost ? lostDispute(event) : refundIn(type, event);
    return { id, occurredAt, report: reportOf(type), refunds: refund === null ? [] : [refund] };
  },

  async capture(account, intent, { gatewayPaymentId }) {
    const url = `${account.address}/v1/payments/${encodeURIComponent(gatewayPaymentId ?? "")}/capture`;
    const body = JSON.stringify({ amount: intent.amount, currency: intent.currency });
    return paymentReport("capture", await ask(url, { headers: headersOf(account), body }));
  },

  async look(account, intent) {
    const url = `${account.address}/v1/orders/${encodeURIComponent(intent.gatewayOrderId)}/payments`;
    const found = await ask(url, { method: "GET", headers: headersOf(account) });
    const reports = listAt(found, "items").map((payment) => paymentReport("look", payment));
    const paid = reports.filter(({ state }) => state === "paid");
    return paid.length > 0 ? paid : reports.filter(({ state }) => state === "capture").slice(0, 1);
  },

  /** The key is a header, and the receipt by which a look finds it (https://razorpay.com/docs/api/refunds/normal-refunds-idempotent). */
  async refund(account, order) {
    const { key, company, amount, isInstant } = order;
    // `optimum` is instant where the payer's bank can (https://razorpay.com/docs/api/refunds/create-instant).
    const speed = isInstant ? "optimum" : "normal";
    const answer = await askForMoney(refundsOf(account, order, "refund"), {
      headers: { ...headersOf(account), "X-Refund-Idempotency": key },
      body: JSON.stringify({ amount, speed, receipt: key, notes: { company, refund: key } }),
    }).catch(asPassing);
    return asOrdered(refundEntity("refund", answer), order);
  },

  /** Ten come unless more are asked for, a hundred at most (https://razorpay.com/docs/api/refunds/fetch-multiple-refund-payment). */
  async lookRefunds(account, of) {
    const url = refundsOf(account, of, "refunds?count=100");
    const found = await ask(url, { method: "GET", headers: headersOf(account) }).catch(asRefused);
    return listAt(found, "items").flatMap((refund) => refundEntity("look", refund) ?? []);
  },
};

/** A 400 can pass too: a payment is worked at by one request at a time (https://razorpay.com/docs/api/refunds/create-normal). */
function asPassing(error: unknown): never {
  const isBusy = error instanceof GatewayError && error.reason?.includes("another payment operation");
  throw isBusy ? new GatewayError(error.message, true, error.reason) : asRefused(error);
}

const REFUND_STATES = new Map<string, RefundReport["state"]>([
  ["processed", "succeeded"],
  ["failed", "failed"],
]);

/**
 * A refund's event, by the status of its entity: `refund.created` can say `processed`. One of a payment that was never
 * captured ends an authorization and moves no money (https://razorpay.com/docs/webhooks/refunds).
 */
function refundIn(type: string, event: unknown): RefundReport | null {
  const captured = at(event, "payload", "payment", "entity", "captured");
  if (!REFUND_EVENTS.has(type) || captured === false) return null;
  return refundEntity(type, at(event, "payload", "refund", "entity"));
}

/** A dispute that was lost, by what it took (razorpay.com/docs/api/disputes/entity, amount_deducted). */
function lostDispute(event: unknown): RefundReport | null {
  const dispute = at(event, "payload", "dispute", "entity");
  const amount = amountAt(dispute, "amount_deducted");
  if (amount === 0) return null;
  return refundReport({
    type: DISPUTE_LOST,
    kind: "chargeback",
    gatewayRefundId: textAt(dispute, "id"),
    gatewayPaymentId: textAt(dispute, "payment_id"),
    key: null,
    amount,
    currency: textAt(dispute, "currency"),
    state: "succeeded",
    failureCode: null,
  });
}

function refundEntity(type: string, refund: unknown): RefundReport | null {
  const state = REFUND_STATES.get(textAt(refund, "status") ?? "") ?? "pending";
  return refundReport({
    type,
    kind: "refund",
    gatewayRefundId: textAt(refund, "id"),
    gatewayPaymentId: textAt(refund, "payment_id"),
    key: textAt(refund, "receipt"),
    amount: amountAt(refund, "amount"),
    currency: textAt(refund, "currency"),
    state,
    failureCode: state === "failed" ? "failed" : null,
  });
}

function refundsOf(account: GatewayAccount, { gatewayPaymentId }: RefundedPayment, path: string): string {
  return `${account.address}/v1/payments/${encodeURIComponent(gatewayPaymentId)}/${path}`;
}

function reportIn(type: string, event: unknown): GatewayReport {
  const payment = at(event, "payload", "payment", "entity");
  const said = paymentReport(type, payment);
  if (type !== "order.paid") return said;
  const order = at(event, "payload", "order", "entity");
  const [amount, paid, due] = [
    amountAt(order, "amount"),
    amountAt(order, "amount_paid"),
    wholeAt(order, "amount_due"),
  ];
  const whole = amount !== null && paid !== null && paid >= amount && due === 0;
  // The order's notes are ours; a payment has those that the payer's browser gave it.
  const reference = referenceIn(at(order, "notes")) ?? said.reference;
  return { ...said, amount: whole ? amount : (paid ?? 0), orMore: false, reference };
}

const STATES = new Map<string, GatewayReport["state"]>([
  ["captured", "paid"],
  ["authorized", "capture"],
  ["failed", "failed"],
]);

/** A payment entity; what the payer was charged may be more than the order, where the payer bears the fee. */
function paymentReport(type: string, payment: unknown): GatewayReport {
  return reportOf(type, {
    state: STATES.get(textAt(payment, "status") ?? "") ?? "ignored",
    gatewayOrderId: textAt(payment, "order_id"),
    gatewayPaymentId: textAt(payment, "id"),
    amount: amountAt(payment, "amount"),
    orMore: true,
    currency: textAt(payment, "currency"),
    fee: feeOf(payment),
    method: textAt(payment, "method"),
    reference: referenceIn(at(payment, "notes")),
  });
}

/** An amount of an entity, by the currency that it names (razorpay.com/docs/payments/international-payments, "Supported currencies"). */
function amountAt(entity: unknown, name: string): number | null {
  return hundredths(wholeAt(entity, name), textAt(entity, "currency"));
}

/** What the gateway keeps of a payment; null where it says none that can be. */
function feeOf(payment: unknown): number | null {
  const fee = wholeAt(payment, "fee");
  return fee === null || fee < 0 ? null : fee;
}

function headersOf({ credentials }: GatewayAccount): Record<string, string> {
  return {
    Authorization: basic(credentials.key_id, credentials.key_secret),
    "Content-Type": "application/json",
  };
}
