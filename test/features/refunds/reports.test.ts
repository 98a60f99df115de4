import { afterEach, describe, expect, test } from "vitest";
import type { StrayReportRow } from "../../../src/features/refunds/stray-reports.ts";
import { must } from "../../support/company.ts";
import { gatewayFaults } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf, capturesOf } from "../captures/captures.ts";
import { getNote } from "../credit-notes/notes.ts";
import { refusal } from "../refusal.ts";
import { deliver, openShop } from "../storefront/shop.ts";
import {
  endAtGateway,
  getRefund,
  giveBack,
  ledgerOf,
  newRefund,
  paidOrder,
  refundEvent,
  refundsOf,
  retry,
} from "./refunds.ts";
import { newestRefund, openOf, soldOrder, UNKNOWN } from "./sales.ts";

const WITHOUT_NOTE = "every refund that a gateway made of invoiced money has its credit note";

describe("what a gateway gives back by itself is recorded", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  afterEach(() => expectSound(company));

  test("of an invoice that stands: its customer owes it again, until a note is issued", async () => {
    const { invoiceId, ...sale } = await soldOrder(shop);
    await sale.console();
    const { id } = await newestRefund(company);
    expect(await getRefund(company, id)).toMatchObject({
      ...{ source: "gateway", needs_review: true, reason: null, amount: 100, credit_note_id: null },
    });
    expect(await openOf(company)).toEqual([WITHOUT_NOTE]);
    expect(await sale.read()).toMatchObject({ review_code: "refunded_at_gateway" });
    await expectSound(company);
    const [payment] = await company.rows("SELECT id FROM payments WHERE invoice_id = ?", invoiceId);
    for (const path of [`/invoices/:company/${invoiceId}/void`, `/payments/:company/${payment?.id}/refund`])
      expect(await company.call("POST", path)).toMatchObject(refusal(409, "has_gateway_refunds"));
    expect(await retry(company, id)).toMatchObject({
      ...{ status: 409, body: { code: "invalid_status" } },
      text: expect.stringContaining("The gateway made this refund: make a new refund"),
    });
    const note = await sale.note();
    expect(await getRefund(company, id)).toMatchObject({
      ...{ needs_review: false, credit_note_id: note.id },
    });
    expect(await getNote(company, note.id)).toMatchObject({ unapplied_amount: 0, refunded_amount: 100 });
    expect(await sale.read()).toMatchObject({ review_code: null, needs_review: false });
    expect(await openOf(company)).toEqual([]);
  });

  test("each report once, however often it comes", async () => {
    const { paymentId } = await paidOrder(shop);
    await gatewayFaults(company, connected, { duplicate: 1, lost_answer: 0.5, reordered: 1 });
    await giveBack(shop, paymentId, { source: "console" });
    await gatewayFaults(company, connected, {});
    const entity = (await company.rows("SELECT * FROM gateway_refunds ORDER BY id DESC LIMIT 1"))[0];
    const event = refundEvent({ id: entity?.gateway_refund_id, amount: 10_000, payment_id: paymentId });
    for (const id of ["evt_one", "evt_one", "evt_two"])
      must(await deliver(company, connected, event, { id }), 200);
    expect(
      await company.rows(
        "SELECT count(*) AS n FROM gateway_refunds WHERE capture_id = ?",
        Number(entity?.capture_id),
      ),
    ).toEqual([{ n: 1 }]);
  });

  test("one of a payment that is not known is stored, and open in the self-check; a forged one is refused", async () => {
    const event = refundEvent({ id: "rfnd_Unknown", amount: 500, payment_id: "pay_Unknown" });
    must(await deliver(company, connected, event), 200);
    expect(await openOf(company)).toEqual([UNKNOWN]);
    const forged = { merchant: { ...connected.merchant, webhook_secret: "another" } };
    expect((await deliver(company, forged, event)).status).toBe(400);
  });

  test("odd amounts are stored, change nothing, and are open in the self-check", async () => {
    const { captureId, paymentId } = await paidOrder(shop);
    const sent = await newRefund(company, { capture_id: captureId, amount: 10 });
    const before = await refundsOf(company);
    const entity = { amount: 1_000, payment_id: paymentId };
    for (const odd of [
      { id: "rfnd_Zero", amount: 0 },
      { id: "rfnd_Dollars", currency: "USD" },
      { id: sent.gateway_refund_id, amount: 900, status: "failed" },
    ])
      must(await deliver(company, connected, refundEvent({ ...entity, status: "processed", ...odd })), 200);
    expect(await refundsOf(company)).toEqual(before);
    const stored = await company.rows(
      "SELECT gateway_refund_id AS id FROM gateway_refund_events WHERE refund_id IS NULL AND gateway_payment_id = ? ORDER BY id",
      paymentId,
    );
    expect(stored.map(({ id }) => id)).toEqual(
      ["rfnd_Dollars", "rfnd_Zero", sent.gateway_refund_id].toSorted(),
    );
    expect(await openOf(company)).toContain(UNKNOWN);
  });

  test("an automatic refund of a payment that was never captured is none", async () => {
    const before = await refundsOf(company);
    const event = refundEvent({ id: "rfnd_Auto", amount: 500, payment_id: "pay_Auto" }, "refund.processed", {
      captured: false,
    });
    must(await deliver(company, connected, event), 200);
    expect(await refundsOf(company)).toEqual(before);
  });

  test("what its webhook did not report is found before money is sent, and bounds it", async () => {
    const { captureId, paymentId } = await paidOrder(shop);
    await gatewayFaults(company, connected, { lost_event: 1 });
    await giveBack(shop, paymentId, { source: "console", amount: 7_000 });
    await gatewayFaults(company, connected, {});
    const before = (await ledgerOf(shop)).length;
    const sent = await newRefund(company, { capture_id: captureId });
    expect(sent).toMatchObject({ status: "failed", failure_code: "refund_exceeds_payment" });
    expect((await refundsOf(company)).slice(-2)).toEqual(["api failed 10000", "gateway succeeded 7000"]);
    expect((await capturesOf(company)).at(-1)).toBe("duplicate_payment 10000 advance 3000");
    expect((await newRefund(company, { capture_id: captureId })).amount).toBe(30);
    expect((await ledgerOf(shop)).length - before).toBe(1);
  });
});

test("a dispute that is lost at Razorpay is a chargeback of what it took", async () => {
  const shop = await openShop();
  const { company } = shop;
  const sale = await soldOrder(shop);
  await giveBack(shop, sale.paymentId, { source: "chargeback", amount: 6_000 });
  expect(await refundsOf(company)).toEqual(["chargeback succeeded 6000"]);
  expect(await openOf(company)).toEqual([WITHOUT_NOTE]);
  expect((await balancesOf(company))["Razorpay Clearing"]).toBe(40);
  expect(await sale.read()).toMatchObject({ review_code: "refunded_at_gateway" });
  await expectSound(company);
});

describe("of one payment no more is booked as back than it brought; the rest is listed for a review", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  afterEach(() => expectSound(company));
  const clearing = async () => (await balancesOf(company))["Razorpay Clearing"] ?? 0;
  const bookedOf = async (captureId: string) =>
    (
      await company.rows(
        "SELECT status, amount FROM gateway_refunds WHERE capture_id = ? ORDER BY id",
        Number(captureId),
      )
    ).map(({ status, amount }) => `${status} ${amount}`);
  const listed = async (paymentId: string) => {
    return (await company.read<StrayReportRow[]>("/refunds/:company/reports"))
      .filter(({ gateway_payment_id: id }) => id === paymentId)
      .map(({ type, amount }) => `${type} ${amount}`)
      .toReversed();
  };
  const lost = (id: string, payment_id: string, amount: number, refunded = 0) => {
    const dispute = { id, payment_id, amount, amount_deducted: amount, currency: "INR", status: "lost" };
    const payment = { id: payment_id, amount: 10_000, amount_refunded: refunded, currency: "INR" };
    return {
      event: "payment.dispute.lost",
      payload: { payment: { entity: payment }, dispute: { entity: dispute } },
    };
  };
  const refunded = (payment_id: string, status: string) => {
    const entity = { id: `rfnd_${payment_id}`, payment_id, amount: 10_000, status };
    return refundEvent(entity, status === "pending" ? "refund.created" : `refund.${status}`);
  };

  test.each(["the refund first", "the dispute first", "at once", "while the refund is on its way"])(
    "a refund and a lost dispute of the whole, %s",
    async (order) => {
      const { paymentId, captureId } = await paidOrder(shop, "paid");
      const before = await clearing();
      const [refund, dispute] = [
        refunded(paymentId, "processed"),
        lost(`disp_${paymentId}`, paymentId, 10_000, order === "the refund first" ? 10_000 : 0),
      ];
      const sent = {
        "the refund first": [[refund], [dispute]],
        "the dispute first": [[dispute], [refund]],
        "at once": [[refund, dispute]],
      }[order] ?? [[refunded(paymentId, "pending")], [dispute], [refund]];
      for (const events of sent)
        for (const answer of await Promise.all(events.map((event) => deliver(company, connected, event))))
          must(answer, 200);
      expect(await bookedOf(captureId)).toEqual(["succeeded 10000"]);
      expect(await listed(paymentId)).toHaveLength(1);
      expect(await clearing()).toBe(before - 100);
      expect(await openOf(company)).toContain(UNKNOWN);
    },
  );

  test("three disputes that took more together, of which the payment bears what fits", async () => {
    const { paymentId, captureId } = await paidOrder(shop, "paid");
    for (const [id, amount] of [
      ["disp_A", 4_000],
      ["disp_B", 6_000],
      ["disp_C", 6_000],
    ] as const)
      must(await deliver(company, connected, lost(`${id}${paymentId}`, paymentId, amount)), 200);
    expect(await bookedOf(captureId)).toEqual(["succeeded 4000", "succeeded 6000"]);
    expect(await listed(paymentId)).toEqual(["payment.dispute.lost 60"]);
  });

  test("what was listed is booked once the refund that left it no room has failed", async () => {
    const { paymentId, captureId } = await paidOrder(shop, "paid");
    for (const event of [refunded(paymentId, "processed"), lost(`disp_${paymentId}`, paymentId, 10_000)])
      must(await deliver(company, connected, event), 200);
    expect(await listed(paymentId)).toEqual(["payment.dispute.lost 100"]);
    must(await deliver(company, connected, refunded(paymentId, "failed")), 200);
    await expect.poll(() => bookedOf(captureId)).toEqual(["failed 10000", "succeeded 10000"]);
    expect(await listed(paymentId)).toEqual([]);
  });
});

test("a chargeback through Stripe is recorded, and its reversal gives the money again", async () => {
  const shop = await openShop("stripe");
  const { company } = shop;
  const sale = await soldOrder(shop);
  const taken = await giveBack(shop, sale.paymentId, { source: "chargeback" });
  expect(await refundsOf(company)).toEqual(["chargeback succeeded 10000"]);
  expect(await openOf(company)).toEqual([WITHOUT_NOTE]);
  expect((await balancesOf(company))["Stripe Clearing"]).toBeUndefined();
  expect(await sale.read()).toMatchObject({ review_code: "refunded_at_gateway" });
  await endAtGateway(shop, taken.id, "reversed");
  expect(await sale.read()).toMatchObject({ review_code: null });
  expect(await getRefund(company, "1")).toMatchObject({
    ...{ status: "failed", failure_code: "chargeback_reversed", needs_review: false },
  });
  expect((await balancesOf(company))["Stripe Clearing"]).toBe(100);
  expect(await openOf(company)).toEqual([]);
  await expectSound(company);
});
