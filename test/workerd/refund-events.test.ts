import { expect, test } from "vitest";
import { GATEWAYS } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { accountAt } from "./gateway-calls.ts";
import { REPORT, WRITE } from "./refund-entities.ts";

/** Reads an event as it came. */
async function read(kind: GatewayKind, event: unknown) {
  const body = Uint8Array.from(new TextEncoder().encode(JSON.stringify(event)));
  return GATEWAYS[kind].read(accountAt(kind), event, { headers: new Headers(), body, receivedAt: 0 });
}

const razorpayEvent = (type: string, entity: object, captured = true) => ({
  event: type,
  payload: {
    refund: { entity },
    payment: {
      entity: {
        id: "PAY",
        status: captured ? "captured" : "refunded",
        captured,
        amount: 35_405,
        currency: "USD",
      },
    },
  },
});
const stripeEvent = (type: string, object: object, livemode = false) => ({
  id: "evt_1",
  type,
  livemode,
  data: { object },
});
const paypalEvent = (type: string, resource: object) => ({ id: "WH-1", event_type: type, resource });
const dispute = {
  id: "du_1",
  object: "dispute",
  amount: 35_405,
  currency: "usd",
  payment_intent: "PAY",
  status: "needs_response",
};
const lost = (deducted: unknown, refunded = 0) => ({
  event: "payment.dispute.lost",
  payload: {
    payment: {
      entity: { id: "PAY", amount: 35_405, amount_refunded: refunded, currency: "USD", captured: true },
    },
    dispute: {
      entity: {
        id: "disp_1",
        payment_id: "PAY",
        amount: 35_405,
        currency: "USD",
        amount_deducted: deducted,
        status: "lost",
      },
    },
  },
});
const chargeback = { ...REPORT, kind: "chargeback", key: null };

const EVENTS: [GatewayKind, string, object, object][] = [
  ["razorpay", "refund.created", razorpayEvent("refund.created", WRITE.razorpay()), REPORT],
  ["razorpay", "refund.processed", razorpayEvent("refund.processed", WRITE.razorpay()), REPORT],
  [
    "razorpay",
    "refund.failed",
    razorpayEvent("refund.failed", WRITE.razorpay({ status: "failed" })),
    { ...REPORT, state: "failed", failureCode: "failed" },
  ],
  [
    "razorpay",
    "payment.dispute.lost",
    lost(30_000, 5_405),
    { ...chargeback, gatewayRefundId: "disp_1", amount: 30_000 },
  ],
  ["razorpay", "payment.dispute.lost", lost(35_405, 35_405), { ...chargeback, gatewayRefundId: "disp_1" }],
  [
    "stripe",
    "refund.created",
    stripeEvent("refund.created", WRITE.stripe({ status: "pending" })),
    { ...REPORT, state: "pending" },
  ],
  ["stripe", "refund.updated", stripeEvent("refund.updated", WRITE.stripe()), REPORT],
  [
    "stripe",
    "refund.failed",
    stripeEvent("refund.failed", {
      ...WRITE.stripe({ status: "failed" }),
      failure_reason: "lost_or_stolen_card",
    }),
    { ...REPORT, state: "failed", failureCode: "lost_or_stolen_card" },
  ],
  ["stripe", "charge.refund.updated", stripeEvent("charge.refund.updated", WRITE.stripe()), REPORT],
  [
    "stripe",
    "charge.dispute.funds_withdrawn",
    stripeEvent("charge.dispute.funds_withdrawn", dispute),
    { ...chargeback, gatewayRefundId: "du_1" },
  ],
  [
    "stripe",
    "charge.dispute.funds_reinstated",
    stripeEvent("charge.dispute.funds_reinstated", { ...dispute, status: "won" }),
    { ...chargeback, kind: "chargeback_reversed", gatewayRefundId: "du_1" },
  ],
  ["paypal", "PAYMENT.CAPTURE.REFUNDED", paypalEvent("PAYMENT.CAPTURE.REFUNDED", WRITE.paypal()), REPORT],
  [
    "paypal",
    "PAYMENT.CAPTURE.REVERSED",
    paypalEvent("PAYMENT.CAPTURE.REVERSED", {
      ...WRITE.paypal({ key: "asha-traders:order:1" }),
      amount: { value: "-354.05", currency_code: "USD" },
    }),
    chargeback,
  ],
];

test.each([
  ["razorpay", razorpayEvent("refund.processed", WRITE.razorpay({ status: "__proto__" }))],
  ["stripe", stripeEvent("refund.updated", WRITE.stripe({ status: "constructor" }))],
  ["paypal", paypalEvent("PAYMENT.CAPTURE.REFUNDED", WRITE.paypal({ status: "toString" }))],
] as [GatewayKind, object][])("%s: a status that there is not is pending", async (kind, event) => {
  expect(await read(kind, event)).toMatchObject({ refunds: [{ state: "pending" }] });
});

test.each(EVENTS)(
  "%s: %s reports money that went back, and no payment",
  async (kind, type, event, report) => {
    expect(await read(kind, event)).toMatchObject({
      report: { type, state: "ignored", gatewayPaymentId: null },
      refunds: [{ ...report, type }],
    });
  },
);

test.each([
  [
    "razorpay",
    "a refund of a payment that was never captured",
    razorpayEvent("refund.processed", WRITE.razorpay(), false),
  ],
  ["razorpay", "a lost dispute that took nothing", lost(0)],
  ["razorpay", "a change of speed", razorpayEvent("refund.speed_changed", WRITE.razorpay())],
  [
    "stripe",
    "a refund of a charge that was never captured",
    stripeEvent("refund.created", { ...WRITE.stripe(), reason: "expired_uncaptured_charge" }),
  ],
  ["stripe", "a refund of the other mode", stripeEvent("refund.created", WRITE.stripe(), true)],
  ["stripe", "a dispute that moved no money", stripeEvent("charge.dispute.created", dispute)],
  ["stripe", "a refund without an amount", stripeEvent("refund.created", { id: "R1" })],
  ["paypal", "a refund without an amount", paypalEvent("PAYMENT.CAPTURE.REFUNDED", { id: "R1" })],
] as const)("%s: %s reports nothing", async (kind, _what, event) => {
  expect(await read(kind, event)).toMatchObject({ report: { state: "ignored" }, refunds: [] });
});
