import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import type { Merchant } from "../../../src/sandbox/gateways/merchants.ts";
import { basic, call, eventsReceived, openAccount, pay, received, useGateways } from "./harness.ts";

useGateways();

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

it("takes one paisa less, and two payments", async () => {
  const merchant = openAccount("razorpay");
  const less = await newOrder(merchant);
  await pay("razorpay", less.id, "wrong_amount");
  const captured = JSON.parse(received[1]?.body ?? "").payload.payment.entity;
  expect(captured.amount).toBe(35_399);

  const twice = await newOrder(merchant);
  const { body } = await pay("razorpay", twice.id, "twice");
  expect(new Set(body.payment_ids).size).toBe(2);
  expect(eventsReceived().slice(2)).toEqual(["order.paid", "payment.captured", "payment.captured"]);
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
