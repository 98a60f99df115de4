import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RefundKeys } from "../../../src/sandbox/gateways/refund-keys.ts";
import { Refunds } from "../../../src/sandbox/gateways/refunds.ts";
import { call, gateways, received, useGateways } from "./harness.ts";
import { AMOUNT, end, KEY, moneyBack, newPayment, refund, said } from "./payments.ts";

useGateways();

it("razorpay gives a payment that is never captured back by itself, and says that it was not captured", async () => {
  const paid = await newPayment("razorpay", "authorized");
  expect((await moneyBack(paid, { source: "console" })).status).toBe(409);
  expect((await moneyBack(paid, { source: "auto" })).status).toBe(200);
  const { payload } = JSON.parse(received[0]?.body ?? "");
  expect(payload.payment.entity).toMatchObject({ captured: false, status: "refunded" });
  expect((await moneyBack(await newPayment("stripe"), { source: "auto" })).status).toBe(409);
});

it("razorpay refuses less than a rupee, a short key, a receipt that came before, and an unknown member", async () => {
  const paid = await newPayment("razorpay");
  expect(said(await refund(paid, 99))).toBe("The amount must be at least INR 1.00");
  expect((await refund(paid, 100, "short")).status).toBe(400);
  await refund(paid, 100);
  const path = `/razorpay/v1/payments/${paid.payment}/refund`;
  const same = await call(path, paid.authorization, { amount: 100, receipt: KEY });
  expect(same.body.error.description).toBe("Duplicate receipt found for this refund request");
  expect((await call(path, paid.authorization, { amount: 100, currency: "INR" })).status).toBe(400);
});

it("stripe replays a refusal too, for the same key", async () => {
  const paid = await newPayment("stripe");
  const refused = await refund(paid, AMOUNT + 1);
  const replayed = await refund(paid, AMOUNT + 1);
  expect([replayed.status, replayed.body]).toEqual([400, refused.body]);
  expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
  expect((await refund(paid, 0, "another-key-001")).status).toBe(400);
});

it("paypal answers as little as can be unless asked for more, and takes its own currency only", async () => {
  const paid = await newPayment("paypal");
  const path = `/paypal/v2/payments/captures/${paid.payment}/refund`;
  const ask = (value: string, currency_code: string) =>
    call(path, paid.authorization, { amount: { value, currency_code } });
  expect((await ask("10.00", "EUR")).body.details[0].issue).toBe("REFUND_CAPTURE_CURRENCY_MISMATCH");
  expect((await ask("0.00", "USD")).body.details[0].issue).toBe("CANNOT_BE_ZERO_OR_NEGATIVE");
  expect((await ask("10.0", "USD")).status).toBe(400);
  const { status, body } = await ask("10.00", "USD");
  expect([status, Object.keys(body)]).toEqual([201, ["id", "status", "links"]]);
  const read = await call(`/paypal/v2/payments/refunds/${body.id}`, paid.authorization);
  expect(read.body.amount).toEqual({ value: "10.00", currency_code: "USD" });
  const capture = await call(`/paypal/v2/payments/captures/${paid.payment}`, paid.authorization);
  expect(capture.body).toMatchObject({
    status: "PARTIALLY_REFUNDED",
    supplementary_data: { related_ids: { order_id: paid.order } },
  });
  expect(gateways.refunds.find(body.id)?.amount).toBe(1_000);
});

it("moves nothing of a payment or a refund that is not there, nor in a way that it does not know", async () => {
  const paid = await newPayment("stripe");
  const elsewhere = { ...paid, merchant: { ...paid.merchant, account: "pk_test_nobody" } };
  expect((await moneyBack(elsewhere, { source: "console" })).status).toBe(404);
  expect((await moneyBack(paid, { source: "stolen" })).status).toBe(422);
  expect((await end("re_0", "failed")).status).toBe(404);
  expect((await end("re_0", "lost")).status).toBe(422);
  expect(gateways.refunds.of(paid.merchant.account)).toEqual([]);
});

it("keeps the ledger and the keys in files, where they are given", async () => {
  const folder = await mkdtemp(join(tmpdir(), "refunds-"));
  const files = { refunds: join(folder, "refunds.json"), keys: join(folder, "keys.json") };
  const { merchant, payment, order } = await newPayment("razorpay");
  const refund = {
    kind: "razorpay",
    account: merchant.account,
    id: "rfnd_1",
    order_id: order,
    payment_id: payment,
    amount: 100,
    currency: "INR",
    key: KEY,
    source: "api",
    state: "succeeded",
    sent: { receipt: KEY },
    created_at: 1,
  } as const;
  new Refunds(files.refunds).add(refund);
  new RefundKeys(files.keys).keep(merchant, KEY, { request: "{}", status: 200, answer: { id: "rfnd_1" } });
  expect(new Refunds(files.refunds).of(merchant.account)).toEqual([refund]);
  const answer = { status: 200, answer: { id: "rfnd_1" } };
  expect(new RefundKeys(files.keys).find(merchant, KEY)).toMatchObject(answer);
  await rm(folder, { recursive: true });
});
