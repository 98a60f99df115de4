import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import type { Merchant } from "../../../src/sandbox/gateways/merchants.ts";
import { holdsContract } from "./contract.ts";
import { basic, call, eventsReceived, openAccount, pay, received } from "./harness.ts";
import { KEY, moneyBack, newPayment, refund, said } from "./payments.ts";

holdsContract("razorpay", {
  currency: "INR",
  states: { succeeded: "processed", failed: "failed", pending: "pending" },
  events: {
    made: ["refund.created", "refund.processed"],
    waiting: ["refund.created"],
    succeeded: ["refund.processed"],
    failed: ["refund.failed"],
  },
  refusals: {
    tooMuch: "The total refund amount is greater than the refund payment amount",
    nothingLeft: "The payment has been fully refunded already",
    uncaptured: "captured",
    foreign: "does not exist",
    takenBack: "The payment has been fully refunded already",
    poor: /enough balance/,
  },
  uncaptured: "authorized",
  forgetsAfter: { hours: 45 * 24, isKnown: true },
  sameKey: "a refusal",
  failsByHand: true,
  chargeback: { kind: "refund", events: ["refund.created", "refund.processed"], reversed: null },
});

const ORDER = {
  amount: 35_400,
  currency: "INR",
  receipt: "SO/26-27/00001",
  notes: { company: "shop", kind: "order", ref_id: "1" },
  payment: {
    capture: "automatic",
    capture_options: { automatic_expiry_period: 12, manual_expiry_period: 7200, refund_speed: "optimum" },
  },
};

async function newOrder(merchant: Merchant) {
  return (await call("/razorpay/v1/orders", basic(merchant), ORDER)).body;
}

it("makes an order and echoes what it was asked for", async () => {
  const merchant = openAccount("razorpay");
  const { status, body } = await call("/razorpay/v1/orders", basic(merchant), ORDER);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: expect.stringMatching(/^order_\w{14}$/),
    entity: "order",
    amount: 35_400,
    amount_paid: 0,
    amount_due: 35_400,
    currency: "INR",
    receipt: "SO/26-27/00001",
    status: "created",
    attempts: 0,
    notes: ORDER.notes,
  });
  expect((await call(`/razorpay/v1/orders/${body.id}`, basic(merchant))).body).toEqual(body);
});

it.each([
  [{ amount: 99 }, "amount"],
  [{ amount: 100.5 }, "amount"],
  [{ receipt: "x".repeat(41) }, "receipt"],
])("refuses %o in Razorpay's shape", async (change, field) => {
  const { status, body } = await call("/razorpay/v1/orders", basic(openAccount("razorpay")), {
    ...ORDER,
    ...change,
  });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: "BAD_REQUEST_ERROR", reason: "input_validation_failed", field });
});

it("knows only its accounts, and shows each only its own orders", async () => {
  const { id } = await newOrder(openAccount("razorpay"));
  const stranger = openAccount("razorpay");
  const foreign = await call(`/razorpay/v1/orders/${id}`, basic(stranger));
  expect([foreign.status, foreign.body.error.description]).toEqual([400, "The id provided does not exist"]);
  const wrong = await call(`/razorpay/v1/orders/${id}`, basic({ ...stranger, secret: "guessed" }));
  expect([wrong.status, wrong.body.error.description]).toEqual([401, "Authentication failed"]);
});

it("sends order.paid and payment.captured, signed, to the company's address", async () => {
  const merchant = openAccount("razorpay");
  const { id } = await newOrder(merchant);
  const { body } = await pay("razorpay", id, "paid");
  expect(body).toMatchObject({
    gateway_order_id: id,
    outcome: "paid",
    state: "paid",
    webhooks: [
      { event: "order.paid", delivered: true, statuses: [200] },
      { event: "payment.captured", delivered: true, statuses: [200] },
    ],
  });
  expect(eventsReceived()).toEqual(["order.paid", "payment.captured"]);
  for (const webhook of received) {
    const signature = createHmac("sha256", merchant.webhook_secret).update(webhook.body).digest("hex");
    expect(webhook.headers["x-razorpay-signature"]).toBe(signature);
    expect(webhook.headers["x-razorpay-event-id"]).toMatch(/^\w{14}$/);
    expect(webhook.path).toBe(`/api/v1/storefront/${merchant.company}/webhook/razorpay`);
  }
  const { payload } = JSON.parse(received[0]?.body ?? "");
  expect(payload.order.entity).toMatchObject({ id, amount_paid: 35_400, amount_due: 0, status: "paid" });
  expect(payload.payment.entity).toMatchObject({ order_id: id, amount: 35_400, status: "captured" });
  const { body: payments } = await call(`/razorpay/v1/orders/${id}/payments`, basic(merchant));
  expect(payments).toMatchObject({ entity: "collection", count: 1, items: [{ id: body.payment_ids[0] }] });
  expect((await pay("razorpay", id, "paid")).status).toBe(409);
});

it("lets a failed payment be tried again", async () => {
  const { id } = await newOrder(openAccount("razorpay"));
  expect((await pay("razorpay", id, "failed")).body).toMatchObject({ state: "open" });
  expect((await pay("razorpay", id, "paid")).body).toMatchObject({ state: "paid" });
  expect(eventsReceived()).toEqual(["payment.failed", "order.paid", "payment.captured"]);
});

it("captures an authorized payment once, and only in full", async () => {
  const merchant = openAccount("razorpay");
  const { id } = await newOrder(merchant);
  const { body } = await pay("razorpay", id, "authorized");
  const path = `/razorpay/v1/payments/${body.payment_ids[0]}/capture`;
  const part = await call(path, basic(merchant), { amount: 1, currency: "INR" });
  expect(part.body.error.description).toContain("must be equal");
  const captured = await call(path, basic(merchant), { amount: 35_400, currency: "INR" });
  expect(captured.body).toMatchObject({ status: "captured", captured: true });
  const again = await call(path, basic(merchant), { amount: 35_400, currency: "INR" });
  expect([again.status, again.body.error.description]).toEqual([
    400,
    "This payment has already been captured",
  ]);
  await expect
    .poll(eventsReceived, { timeout: 10_000 })
    .toEqual(["payment.authorized", "order.paid", "payment.captured"]);
});

it("gives a payment that is never captured back by itself, which moves no money of the company's", async () => {
  const paid = await newPayment("razorpay", "authorized");
  expect((await moneyBack(paid, { source: "console" })).status).toBe(409);
  expect((await moneyBack(paid, { source: "auto" })).status).toBe(200);
  const { payload } = JSON.parse(received[0]?.body ?? "");
  expect(payload.payment.entity).toMatchObject({ captured: false, status: "refunded" });
  expect(received).toHaveLength(2);
});

it("refuses less than a rupee, a short key, a receipt that came before, and an unknown member", async () => {
  const paid = await newPayment("razorpay");
  expect(said(await refund(paid, 99))).toBe("The amount must be at least INR 1.00");
  expect((await refund(paid, 100, "short")).status).toBe(400);
  await refund(paid, 100);
  const path = `/razorpay/v1/payments/${paid.payment}/refund`;
  const same = await call(path, paid.authorization, { amount: 100, receipt: KEY });
  expect(same.body.error.description).toBe("Duplicate receipt found for this refund request");
  expect((await call(path, paid.authorization, { amount: 100, currency: "INR" })).status).toBe(400);
});
