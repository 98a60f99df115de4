import { expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { connectGateway, gatewayFaults } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { erase } from "../erasures/person.ts";
import { deliver, getOrder, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import { endAtGateway, getRefund, newRefund, paidOrder, refundEvent, refundsOf } from "./refunds.ts";
import { openOf, UNKNOWN } from "./sales.ts";

type Report = { id: string; gateway_refund_id: string; amount: number; state: string };

test("staff end the review of a report that fits nothing, with what came of the same refund, once", async () => {
  const { company, connected } = await openShop();
  const list = () => company.read<Report[]>("/refunds/:company/reports");
  const refund = { amount: 900, payment_id: "pay_Strange" };
  for (const [id, status] of [
    ...[
      ["rfnd_Strange", "pending"],
      ["rfnd_Strange", "processed"],
    ],
    ["rfnd_Other", "processed"],
  ])
    must(await deliver(company, connected, refundEvent({ ...refund, id, status })), 200);
  const [other, strange] = await list();
  expect(other).toMatchObject({ gateway_refund_id: "rfnd_Other" });
  expect(strange).toMatchObject({ gateway_refund_id: "rfnd_Strange", amount: 9, state: "succeeded" });
  expect(await openOf(company)).toHaveLength(1);
  const path = `/refunds/:company/reports/${strange?.id}/dismiss`;
  const headers = { "Idempotency-Key": "dismiss-once" };
  const dismiss = (note: string, sent = {}) => company.call("POST", path, { body: { note }, headers: sent });
  expect(await dismiss("")).toMatchObject({ status: 422, body: { errors: [{ field: "note" }] } });
  const first = must(await dismiss("Of the old shop", headers), 200);
  expect(first.body.data).toMatchObject({ id: strange?.id, dismissed_at: expect.any(String) });
  expect((await dismiss("Of the old shop", headers)).body).toEqual(first.body);
  expect(await dismiss("Again")).toMatchObject({ status: 409, body: { code: "invalid_status" } });
  const left = (await list()).map(({ gateway_refund_id: id }) => id);
  expect(left).toContain("rfnd_Other");
  expect(left).not.toContain("rfnd_Strange");
  const [audited] = await company.rows("SELECT action, note FROM audit_log ORDER BY id DESC LIMIT 1");
  expect(audited).toEqual({ action: "dismissRefundReport", note: "Of the old shop" });
  for (const { id } of await list())
    must(await company.call("POST", `/refunds/:company/reports/${id}/dismiss`, { body: { note: "x" } }), 200);
  expect(await openOf(company)).toEqual([]);
  await expectSound(company);
});

test("one that names another payment than the refund's own is stored, changes nothing, and is open", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  const { captureId, paymentId } = await paidOrder(shop);
  const other = await paidOrder(shop);
  const sent = await newRefund(company, { capture_id: captureId, amount: 10 });
  const [row] = await company.rows("SELECT key FROM gateway_refunds WHERE id = ?", Number(sent.id));
  const before = await company.rows("SELECT * FROM gateway_refunds");
  const entity = { amount: 1_000 };
  for (const named of [
    { id: sent.gateway_refund_id, status: "failed" },
    { id: "rfnd_Elsewhere", receipt: String(row?.key) },
  ])
    must(
      await deliver(company, connected, refundEvent({ ...entity, ...named, payment_id: other.paymentId })),
      200,
    );
  expect(await company.rows("SELECT * FROM gateway_refunds")).toEqual(before);
  const stored =
    "SELECT gateway_refund_id AS id FROM gateway_refund_events WHERE refund_id IS NULL AND gateway_payment_id = ?";
  expect(await company.rows(stored, other.paymentId)).toHaveLength(2);
  expect(await openOf(company)).toContain(UNKNOWN);
  const failed = { ...entity, id: sent.gateway_refund_id, status: "failed", payment_id: paymentId };
  must(await deliver(company, connected, refundEvent(failed, "refund.failed")), 200);
  expect(await getRefund(company, sent.id)).toMatchObject({ status: "failed" });
  await expectSound(company);
});

test("what an account reports of money that another one took has no effect", async () => {
  const shop = await openShop();
  const { company } = shop;
  const { captureId, paymentId } = await paidOrder(shop);
  const { gateway_refund_id: id } = await newRefund(company, { capture_id: captureId, amount: 10 });
  const other = await connectGateway(company, "razorpay", { priority: 90 });
  const entity = { id, payment_id: paymentId, amount: 1_000, status: "failed" };
  const before = await refundsOf(company);
  must(await deliver(company, other, refundEvent(entity, "refund.failed")), 200);
  must(await deliver(company, other, refundEvent({ ...entity, id: "rfnd_other", status: "processed" })), 200);
  expect(await refundsOf(company)).toEqual(before);
  expect(await openOf(company)).toEqual([UNKNOWN]);
});

async function straysOf(company: TestCompany): Promise<string[]> {
  const rows = await company.rows(
    "SELECT gateway_refund_id AS id FROM gateway_refund_events WHERE refund_id IS NULL ORDER BY id",
  );
  return rows.map(({ id }) => String(id));
}

test("what a gateway reports of a refund before its payment is known counts once the payment is", async () => {
  const { company, connected } = await openShop();
  const placed = await placeOrder(company);
  const payment = { id: "pay_Late" };
  const refund = { payment_id: payment.id };
  for (const [id, amount, status] of [
    ["rfnd_Early", 4_000, "pending"],
    ["rfnd_Early", 4_000, "processed"],
    ["rfnd_Back", 1_000, "processed"],
    ["rfnd_Back", 1_000, "failed"],
  ])
    must(await deliver(company, connected, refundEvent({ ...refund, id, amount, status })), 200);
  must(await deliver(company, connected, refundEvent({ ...refund, id: "rfnd_Odd", amount: 0 })), 200);
  expect(await refundsOf(company)).toEqual([]);
  must(await deliver(company, connected, razorpayEvent(placed, { payment })), 200);
  await expect.poll(() => straysOf(company)).toEqual(["rfnd_Odd"]);
  expect(await refundsOf(company)).toEqual(["gateway succeeded 4000", "gateway failed 1000"]);
  const order = await company.read(`/orders/:company/${placed.order_id}`);
  expect(order).toMatchObject({
    ...{ payment_status: "paid", review_code: "refunded_at_gateway" },
    ...{ refund_status: "partial", refunded_amount: 40 },
  });
  expect(await getOrder(company, placed.order_id)).toMatchObject({ payment_status: "paid" });
  await expectSound(company);
});

test("a stray report ends once its refund is known otherwise, but for one of another amount", async () => {
  const { company, connected } = await openShop();
  const payment = { id: "pay_Again" };
  must(await deliver(company, connected, razorpayEvent(await placeOrder(company), { payment })), 200);
  // As they were stored before the payment was known, where no job applied them.
  const [id, stray] = [
    "rfnd_Again",
    `INSERT INTO gateway_refund_events (gateway, event_id, type, payload_sha256, gateway_refund_id, gateway_payment_id, amount,
      currency, state, received_at, gateway_account_id, kind)
      SELECT gateway, ?, 'refund.processed', '', ?, gateway_payment_id, ?, currency, 'succeeded', 1, gateway_account_id, 'refund'
      FROM gateway_captures`,
  ];
  await company.rows(stray, "evt_stored", id, 4_000);
  await company.rows(stray, "evt_less", id, 3_000);
  const refund = { id, payment_id: payment.id, amount: 4_000, status: "processed" };
  must(await deliver(company, connected, refundEvent(refund)), 200);
  expect(await refundsOf(company)).toEqual(["gateway succeeded 4000"]);
  expect(await company.rows("SELECT event_id FROM gateway_refund_events WHERE refund_id IS NULL")).toEqual([
    { event_id: "evt_less" },
  ]);
  await expectSound(company);
});

test("a chargeback that began and ended before its payment is known is applied with its end at once", async () => {
  const { company, connected } = await openShop();
  for (const kind of ["chargeback", "chargeback_reversed"])
    await company.rows(
      `INSERT INTO gateway_refund_events (gateway, event_id, type, payload_sha256, gateway_refund_id, gateway_payment_id, amount,
        currency, state, received_at, gateway_account_id, kind)
        SELECT kind, ?1, 'dispute', '', 'disp_Won', 'pay_Won', 10000, 'INR', 'succeeded', 1, id, ?1 FROM gateway_accounts`,
      kind,
    );
  const payment = { id: "pay_Won" };
  must(await deliver(company, connected, razorpayEvent(await placeOrder(company), { payment })), 200);
  await expect.poll(() => straysOf(company)).toEqual([]);
  expect(await refundsOf(company)).toEqual(["chargeback failed 10000"]);
  await expectSound(company);
});

test("an erased customer's refunds keep no written reason, and money on its way keeps the shopper's contact", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  const { orderId, captureId } = await paidOrder(shop);
  const written = { reason: "other", reason_text: "Meera called, her mother is ill" };
  const failing = { ...written, capture_id: captureId };
  await gatewayFaults(company, connected, { refund_refused: 1 });
  expect((await newRefund(company, { ...failing, amount: 10 })).status).toBe("failed");
  await gatewayFaults(company, connected, { refund_pending: 1 });
  const running = await newRefund(company, { ...failing, amount: 20 });
  await gatewayFaults(company, connected, {});
  const [order] = await company.rows("SELECT customer_id FROM sales_orders WHERE id = ?", orderId);
  const contact = async () => {
    const [row] = await company.rows(
      "SELECT customer ->> '$.email' AS email FROM sales_orders WHERE id = ?",
      orderId,
    );
    return row?.email;
  };

  const first = await erase(company, { customer_id: String(order?.customer_id) });
  expect(first.kept.map(({ what }) => what)).toContain("refunds");
  expect(await company.rows("SELECT DISTINCT reason, reason_text FROM gateway_refunds")).toEqual([
    { reason: "other", reason_text: null },
  ]);
  expect(await company.rows("SELECT id FROM events WHERE instr(snapshot, 'her mother') > 0")).toEqual([]);
  expect(await contact()).not.toBe("erased");
  await expect(company.rows("UPDATE gateway_refunds SET reason_text = 'x'")).rejects.toThrow();

  await endAtGateway(shop, running.gateway_refund_id, "succeeded");
  await erase(company, { customer_id: String(order?.customer_id) });
  expect(await contact()).toBe("erased");
  await expectSound(company);
});
