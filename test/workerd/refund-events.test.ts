import { expect, test } from "vitest";
import { GATEWAYS } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { accountAt } from "./gateway-calls.ts";
import { REPORT, WRITE } from "./refund-entities.ts";

const PAYMENT = { id: "PAY", amount: 35_405, currency: "USD" };

/** Reads an event as it came. */
async function read(kind: GatewayKind, event: unknown) {
  const body = Uint8Array.from(new TextEncoder().encode(JSON.stringify(event)));
  return GATEWAYS[kind].read(accountAt(kind), event, { headers: new Headers(), body, receivedAt: 0 });
}

const EVENT = {
  razorpay: (event: string, entity: object, captured = true) => ({
    event,
    payload: {
      refund: { entity },
      payment: { entity: { ...PAYMENT, status: captured ? "captured" : "refunded", captured } },
    },
  }),
  stripe: (type: string, object: object, livemode = false) => ({
    ...{ id: "evt_1", type, livemode },
    data: { object },
  }),
  paypal: (event_type: string, resource: object) => ({ id: "WH-1", event_type, resource }),
};

const dispute = {
  id: "du_1",
  object: "dispute",
  amount: 35_405,
  currency: "usd",
  payment_intent: "PAY",
  status: "needs_response",
};
const lost = (amount_deducted: unknown, amount_refunded = 0) => ({
  event: "payment.dispute.lost",
  payload: {
    payment: { entity: { ...PAYMENT, amount_refunded, captured: true } },
    dispute: {
      entity: { ...PAYMENT, id: "disp_1", payment_id: "PAY", amount_deducted, status: "lost" },
    },
  },
});

const failed = (failureCode: string) => ({ ...REPORT, state: "failed", failureCode });
const chargeback = (gatewayRefundId: string, more: object = {}) => ({
  ...{ ...REPORT, kind: "chargeback", key: null, gatewayRefundId },
  ...more,
});
const lostCard = { ...WRITE.stripe({ status: "failed" }), failure_reason: "lost_or_stolen_card" };
const reversed = {
  ...WRITE.paypal({ key: "asha-traders:order:1" }),
  amount: { value: "-354.05", currency_code: "USD" },
};

const EVENTS: [GatewayKind, string, object, object][] = [
  ["razorpay", "refund.created", WRITE.razorpay(), REPORT],
  ["razorpay", "refund.processed", WRITE.razorpay(), REPORT],
  ["razorpay", "refund.failed", WRITE.razorpay({ status: "failed" }), failed("failed")],
  ["stripe", "refund.created", WRITE.stripe({ status: "pending" }), { ...REPORT, state: "pending" }],
  ["stripe", "refund.updated", WRITE.stripe(), REPORT],
  ["stripe", "refund.failed", lostCard, failed("lost_or_stolen_card")],
  ["stripe", "charge.refund.updated", WRITE.stripe(), REPORT],
  ["stripe", "charge.dispute.funds_withdrawn", dispute, chargeback("du_1")],
  [
    "stripe",
    "charge.dispute.funds_reinstated",
    { ...dispute, status: "won" },
    chargeback("du_1", { kind: "chargeback_reversed" }),
  ],
  ["paypal", "PAYMENT.CAPTURE.REFUNDED", WRITE.paypal(), REPORT],
  ["paypal", "PAYMENT.CAPTURE.REVERSED", reversed, chargeback("R1")],
];

test.each([
  ["razorpay", "refund.processed", WRITE.razorpay({ status: "__proto__" })],
  ["stripe", "refund.updated", WRITE.stripe({ status: "constructor" })],
  ["paypal", "PAYMENT.CAPTURE.REFUNDED", WRITE.paypal({ status: "toString" })],
] as const)("%s: a status that there is not is pending", async (kind, type, entity) => {
  expect(await read(kind, EVENT[kind](type, entity))).toMatchObject({ refunds: [{ state: "pending" }] });
});

test.each([
  ...EVENTS.map(([kind, type, entity, report]) => [kind, type, EVENT[kind](type, entity), report] as const),
  ["razorpay", "payment.dispute.lost", lost(30_000, 5_405), chargeback("disp_1", { amount: 30_000 })],
  ["razorpay", "payment.dispute.lost", lost(35_405, 35_405), chargeback("disp_1")],
] as const)("%s: %s reports money that went back, and no payment", async (kind, type, event, report) => {
  expect(await read(kind, event)).toMatchObject({
    report: { type, state: "ignored", gatewayPaymentId: null },
    refunds: [{ ...report, type }],
  });
});

const expired = { ...WRITE.stripe(), reason: "expired_uncaptured_charge" };

test.each([
  [
    "razorpay",
    "a refund of a payment that was never captured",
    EVENT.razorpay("refund.processed", WRITE.razorpay(), false),
  ],
  ["razorpay", "a lost dispute that took nothing", lost(0)],
  ["razorpay", "a change of speed", EVENT.razorpay("refund.speed_changed", WRITE.razorpay())],
  ["stripe", "a refund of a charge that was never captured", EVENT.stripe("refund.created", expired)],
  ["stripe", "a refund of the other mode", EVENT.stripe("refund.created", WRITE.stripe(), true)],
  ["stripe", "a dispute that moved no money", EVENT.stripe("charge.dispute.created", dispute)],
  ["stripe", "a refund without an amount", EVENT.stripe("refund.created", { id: "R1" })],
  ["paypal", "a refund without an amount", EVENT.paypal("PAYMENT.CAPTURE.REFUNDED", { id: "R1" })],
] as const)("%s: %s reports nothing", async (kind, _what, event) => {
  expect(await read(kind, event)).toMatchObject({ report: { state: "ignored" }, refunds: [] });
});
