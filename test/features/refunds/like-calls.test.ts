import { afterAll, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { gatewayFaults } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { openShop } from "../storefront/shop.ts";
import { ledgerOf, newRefund, notesOf, paidOrder, postRefund, retry } from "./refunds.ts";

const shop = await openShop();
afterAll(() => expectSound(shop.company));

const cancellation = { reason: "cancellation" };

test("of two like calls at once one sends what came twice, and the other leaves the sale", async () => {
  const { company, connected } = shop;
  const { orderId, paymentId } = await paidOrder(shop);
  const target = { ...cancellation, order_id: String(orderId) };
  // The gateway answers after the second call has read what is due.
  await gatewayFaults(company, connected, { slow_call: 1 });
  const first = postRefund(company, target);
  const isSending = "SELECT count(*) AS n FROM gateway_refunds WHERE status = 'created'";
  await expect.poll(async () => (await rowsOf(company, isSending))[0]?.n).toBe(1);
  const second = { status: 409, body: { code: "refund_in_progress" } };
  for (const fields of [{}, { amount: 100 }])
    expect(await postRefund(company, { ...target, ...fields })).toMatchObject(second);
  expect(must(await first, 201).body.data).toMatchObject({ amount: 100, credit_note_id: null });
  await gatewayFaults(company, connected, {});
  expect(await notesOf(shop, orderId)).toEqual([]);
  expect((await ledgerOf(shop)).filter(({ payment_id: id }) => id === paymentId)).toHaveLength(1);
  // Once it is known that what was due is back, the sale goes back on purpose.
  expect(await newRefund(company, target)).toMatchObject({ amount: 100 });
  expect(await notesOf(shop, orderId)).toHaveLength(1);
});

test("Razorpay gives an instant refund back as fast as it can, and so does the retry of one that failed", async () => {
  const shop = await openShop();
  const { company } = shop;
  const { captureId } = await paidOrder(shop);
  expect(await newRefund(company, { capture_id: captureId, amount: 10 })).toMatchObject({ speed: "normal" });
  await gatewayFaults(company, shop.connected, { refund_refused: 1 });
  const failed = await newRefund(company, { capture_id: captureId, amount: 20, speed: "instant" });
  expect(failed).toMatchObject({ status: "failed", speed: "instant" });
  await gatewayFaults(company, shop.connected, {});
  const again = must(await retry(company, failed.id), 200).body.data;
  expect(again).toMatchObject({ status: "succeeded", speed: "instant" });
  const speeds = (await ledgerOf(shop)).map(({ amount, sent }) => [amount, sent.speed]);
  expect(speeds).toEqual([
    [1_000, "normal"],
    [2_000, "optimum"],
  ]);
});

test("a refund by credit note is as fast as it is asked to be", async () => {
  const shop = await openShop();
  const { orderId } = await paidOrder(shop, "paid");
  const asked = { order_id: String(orderId), reason: "cancellation", speed: "instant" };
  expect(must(await postRefund(shop.company, asked), 201).body.data).toMatchObject({ speed: "instant" });
  expect((await ledgerOf(shop)).map(({ sent }) => sent.speed)).toEqual(["optimum"]);
  await expectSound(shop.company);
});

test.each(["stripe", "paypal"] as const)(
  "%s has no instant refunds: 422, and nothing is stored",
  async (kind) => {
    const shop = await openShop(kind);
    const { captureId } = await paidOrder(shop, "twice", "USD");
    const answer = await postRefund(shop.company, { capture_id: captureId, speed: "instant" });
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(answer.body).toMatchObject({ errors: [{ field: "speed", code: "not_accepted" }] });
    expect(await rowsOf(shop.company, "SELECT id FROM gateway_refunds")).toEqual([]);
  },
);
