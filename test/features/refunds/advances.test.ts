import { afterEach, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { gatewayFaults } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf, capturesOf } from "../captures/captures.ts";
import { typesOf } from "../events/events.ts";
import { refusal } from "../refusal.ts";
import { KINDS, openShop } from "../storefront/shop.ts";
import {
  endAtGateway,
  getRefund,
  ledgerOf,
  newRefund,
  notesOf,
  paidOrder,
  postRefund,
  retry,
} from "./refunds.ts";

test.each(KINDS)("a second payment through %s goes back, once for one key", async (kind, currency) => {
  const shop = await openShop(kind);
  const { company } = shop;
  const { captureId } = await paidOrder(shop, "twice", currency);
  const headers = { "Idempotency-Key": `once-${kind}` };
  const first = must(await postRefund(company, { capture_id: captureId }, headers), 201);
  expect(first.body.data).toMatchObject({
    ...{ status: "succeeded", source: "api", amount: 100, currency, failure_code: null, attempts: 1 },
    ...{ needs_review: false, sibling_ids: [], retry_of: null, gateway_refund_id: expect.any(String) },
  });
  const again = must(await postRefund(company, { capture_id: captureId }, headers), 201);
  expect(again.body).toEqual(first.body);
  expect(await getRefund(company, first.body.data.id)).toEqual(first.body.data);
  const ledger = await ledgerOf(shop);
  expect(ledger.map(({ amount, state, key }) => [amount, state, key?.startsWith("rf-")])).toEqual([
    [10_000, "succeeded", true],
  ]);
  expect((await capturesOf(company)).at(-1)).toBe("duplicate_payment 10000 refunded 0");
  expect((await balancesOf(company))["Customer Advances"]).toBeUndefined();
  expect(await typesOf(company, "type=refund.*")).toEqual(["refund.created", "refund.succeeded"]);
  await expectSound(company);
});

describe("no more goes back than came", async () => {
  const shop = await openShop();
  const { company } = shop;

  test("money of an invoice that stands needs a credit note first", async () => {
    const { captureId } = await paidOrder(shop, "paid");
    expect(await postRefund(company, { capture_id: captureId })).toMatchObject(
      refusal(422, "credit_note_required"),
    );
  });

  test("what is asked wrongly is refused by its field", async () => {
    const { captureId } = await paidOrder(shop);
    const wrong: [object, string][] = [
      [{}, "order_id"],
      [{ capture_id: captureId, credit_note_id: "1" }, "order_id"],
      [{ capture_id: "99999" }, "capture_id"],
      [{ credit_note_id: "99999" }, "credit_note_id"],
      [{ capture_id: captureId, reason: "other" }, "reason_text"],
      [{ capture_id: captureId, amount: 0.5 }, "amount"],
    ];
    for (const [body, field] of wrong) {
      const refused = await postRefund(company, { ...body });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ field }] } });
    }
    const key = await company.key("payments:write");
    const call = { key, body: { capture_id: captureId, reason: "duplicate_payment" } };
    expect((await company.call("POST", "/refunds/:company", call)).status).toBe(403);
  });
});

describe("a refund that is on its way", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  afterEach(() => expectSound(company));

  test("holds its money; once it failed, the money waits again, and another refund takes it", async () => {
    const { captureId } = await paidOrder(shop);
    await gatewayFaults(company, connected, { refund_pending: 1 });
    const sent = await newRefund(company, { capture_id: captureId });
    expect(sent).toMatchObject({ status: "pending", settled_at: null, journal_entry_id: null });
    expect((await retry(company, sent.id)).body).toMatchObject({ code: "invalid_status" });
    const settle = { body: { outside_reference: "x" } };
    const settled = await company.call("POST", `/ledger/:company/captures/${captureId}/settle`, settle);
    expect(settled).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    await endAtGateway(shop, sent.gateway_refund_id, "failed");
    expect(await getRefund(company, sent.id)).toMatchObject({ status: "failed", journal_entry_id: null });
    expect((await capturesOf(company)).at(-1)).toBe("duplicate_payment 10000 advance 10000");

    await gatewayFaults(company, connected, {});
    const again = must(await retry(company, sent.id), 200).body.data;
    expect(again).toMatchObject({ status: "succeeded", retry_of: sent.id, amount: 100 });
    expect(await retry(company, sent.id)).toMatchObject({
      ...{ status: 409, body: { code: "invalid_status" } },
      text: expect.stringContaining(`was retried by the refund ${again.id}`),
    });
    expect((await balancesOf(company))["Customer Advances"]).toBeUndefined();
    const [one, two] = await ledgerOf(shop);
    expect(one?.key).not.toBe(two?.key);
  });

  test("goes through the account that took the money, even if that is switched off", async () => {
    const { captureId } = await paidOrder(shop);
    const path = `/settings/:company/payment-gateways/${connected.id}`;
    must(await company.call("PATCH", path, { body: { is_active: false } }), 200);
    expect((await newRefund(company, { capture_id: captureId })).status).toBe("succeeded");
    const credentials = { key_id: "rzp_other_account", key_secret: "not-the-secret" };
    must(await company.call("PATCH", path, { body: { is_active: true } }), 200);
    const other = await paidOrder(shop);
    must(await company.call("PATCH", path, { body: { credentials } }), 200);
    expect(await newRefund(company, { capture_id: other.captureId })).toMatchObject({
      ...{ status: "failed", failure_code: "credentials" },
    });
  });
});

test("of two like calls at once one sends what came twice, and the other leaves the sale", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  const { orderId, paymentId } = await paidOrder(shop);
  const target = { reason: "cancellation", order_id: String(orderId) };
  // The gateway answers after the second call has read what is due.
  await gatewayFaults(company, connected, { slow_call: 1 });
  const first = postRefund(company, target);
  const isSending = "SELECT count(*) AS n FROM gateway_refunds WHERE status = 'created'";
  await expect.poll(async () => (await company.rows(isSending))[0]?.n).toBe(1);
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
  const { orderId } = await paidOrder(shop, "paid");
  await newRefund(company, { order_id: String(orderId), reason: "cancellation", speed: "instant" });
  const speeds = (await ledgerOf(shop)).map(({ amount, sent }) => [amount, sent.speed]);
  expect(speeds).toEqual([
    [1_000, "normal"],
    [2_000, "optimum"],
    [10_000, "optimum"],
  ]);
});

test.each(["stripe", "paypal"] as const)(
  "%s has no instant refunds: 422, and nothing is stored",
  async (kind) => {
    const shop = await openShop(kind);
    const { captureId } = await paidOrder(shop, "twice", "USD");
    const answer = await postRefund(shop.company, { capture_id: captureId, speed: "instant" });
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(answer.body).toMatchObject({ errors: [{ field: "speed", code: "not_accepted" }] });
    expect(await shop.company.rows("SELECT id FROM gateway_refunds")).toEqual([]);
  },
);
