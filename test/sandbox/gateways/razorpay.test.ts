import { expect, it } from "vitest";
import { holdsContract } from "./contract.ts";
import { basic, call, eventsReceived, openAccount, pay, received } from "./harness.ts";
import { AMOUNT, KEY, moneyBack, newOrder, newPayment, refund, said } from "./payments.ts";

holdsContract("razorpay", {
  currency: "INR",
  opens: { once: false, page: false },
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
  chargeback: { kind: "chargeback", events: ["payment.dispute.lost"], reversed: null },
});

it.each([
  [{ amount: 99 }, "amount"],
  [{ amount: 100.5 }, "amount"],
  [{ receipt: "x".repeat(41) }, "receipt"],
])("refuses %o in Razorpay's shape", async (change, field) => {
  const order = { amount: AMOUNT, currency: "INR", ...change };
  const { status, body } = await call("/razorpay/v1/orders", basic(openAccount("razorpay")), order);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: "BAD_REQUEST_ERROR", reason: "input_validation_failed", field });
});

it("captures an authorized payment once, and only in full", async () => {
  const { order, authorization } = await newOrder("razorpay");
  const { body } = await pay("razorpay", order, "authorized");
  const capture = (amount: number) =>
    call(`/razorpay/v1/payments/${body.payment_ids[0]}/capture`, authorization, { amount, currency: "INR" });
  expect(said(await capture(1))).toContain("must be equal");
  expect((await capture(AMOUNT)).body).toMatchObject({ status: "captured", captured: true });
  const again = await capture(AMOUNT);
  expect([again.status, said(again)]).toEqual([400, "This payment has already been captured"]);
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
