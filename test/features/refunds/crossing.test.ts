import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { gatewayFaults, redirectEvents } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { rowsOf } from "../commerce.ts";
import { newNote } from "../credit-notes/notes.ts";
import { read } from "../storefront/orders/review.ts";
import { deliver, openShop } from "../storefront/shop.ts";
import {
  dueOf,
  endAtGateway,
  getRefund,
  giveBack,
  newRefund,
  paidOrder,
  paymentsOf,
  type RefundRecord,
  refundEvent,
  sentBackOf,
} from "./refunds.ts";

const STEP = 3 * 60;

// A refund is reserved here before its gateway has it; meanwhile a person refunds the same payment at the gateway's console.
describe("a refund that crosses one of the gateway's console, of the same money", () => {
  let shop: Awaited<ReturnType<typeof openShop>>;
  let clock = 0;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterEach(() => expectSound(shop.company));

  /** A refund of which its gateway has not heard yet. */
  async function reserve(fields: Record<string, unknown>): Promise<RefundRecord> {
    await gatewayFaults(shop.company, shop.connected, { refused_call: 1 });
    const reserved = await newRefund(shop.company, fields);
    await gatewayFaults(shop.company, shop.connected, {});
    expect(reserved).toMatchObject({ status: "created", gateway_refund_id: null });
    return reserved;
  }
  /** Lets the job send what is reserved. */
  async function send({ id }: RefundRecord): Promise<RefundRecord> {
    clock += STEP;
    await shop.company.clock(clock);
    await shop.company.sweep(async () => {
      const [row] = await rowsOf(shop.company, "SELECT status FROM gateway_refunds WHERE id = ?", [
        Number(id),
      ]);
      return row?.status !== "created";
    });
    return getRefund(shop.company, id);
  }
  const newest = async () => {
    const [row] = await rowsOf(shop.company, "SELECT max(id) AS id FROM gateway_refunds");
    return getRefund(shop.company, String(row?.id));
  };
  const exceeded = { status: "failed", failure_code: "refund_exceeds_payment" };

  test.each([
    [10_000, 10_000, 0],
    [6_000, 6_000, 40],
    [6_000, 10_000, 0],
  ])("%i reserved, then %i reported, then sent: %i are left", async (asked, reported, left) => {
    const { company } = shop;
    const before = await balancesOf(company);
    const { captureId, paymentId, orderId } = await paidOrder(shop);
    const reserved = await reserve({ capture_id: captureId, amount: asked / 100 });
    await giveBack(shop, paymentId, { source: "console", amount: reported });
    expect(await newest()).toMatchObject({ source: "gateway", amount: reported / 100, needs_review: true });
    expect(await read(shop, orderId)).toMatchObject({ review_code: "refunded_at_gateway" });
    await expectSound(company);
    expect(await send(reserved)).toMatchObject(exceeded);
    // What the failed refund had reserved bears what the gateway gave back: no money waits that is not there.
    expect(await newest()).toMatchObject({ source: "gateway", needs_review: false });
    expect(await read(shop, orderId)).toMatchObject({ review_code: null, needs_refund: left > 0 });
    expect(await dueOf(company, String(orderId))).toEqual(left > 0 ? [left] : []);
    const after = await balancesOf(company);
    expect((after["Customer Advances"] ?? 0) - (before["Customer Advances"] ?? 0)).toBeCloseTo(-left);
    expect(after["Sundry Debtors"]).toBe(before["Sundry Debtors"]);
    expect(await sentBackOf(shop, paymentId)).toHaveLength(1);
    if (left > 0) await newRefund(company, { order_id: String(orderId) });
  });

  test.each([
    ["and its event is lost", true],
    ["after the refund was reserved", false],
  ])("the sale's other payment went back at the console %s: nothing is sent", async (_when, isLost) => {
    const { company, connected } = shop;
    const before = await balancesOf(company);
    const { paymentId, orderId } = await paidOrder(shop);
    const [first] = await paymentsOf(company, "order", String(orderId));
    const wanted = { order_id: String(orderId) };
    const reserved = isLost ? undefined : await reserve(wanted);
    if (isLost) await redirectEvents(company, connected, `${company.url}/nowhere`);
    await giveBack(shop, first?.payment ?? "", { source: "console" });
    if (isLost) await redirectEvents(company, connected, String(connected.merchant.webhook_url));
    const ended = reserved === undefined ? await newRefund(company, wanted) : await send(reserved);
    expect(ended).toMatchObject(exceeded);
    expect(await sentBackOf(shop, paymentId, first?.payment ?? "")).toHaveLength(1);
    expect(await read(shop, orderId)).toMatchObject({
      ...{ refunded_amount: 100, review_code: null, needs_refund: false },
    });
    expect(await dueOf(company, String(orderId))).toEqual([]);
    const after = await balancesOf(company);
    for (const account of ["Customer Advances", "Sundry Debtors"])
      expect(after[account] ?? 0).toBe(before[account] ?? 0);
  });

  test("reserved, then sent, then a report of what was left: both are recorded", async () => {
    const { company } = shop;
    const { captureId, paymentId, orderId } = await paidOrder(shop);
    const reserved = await reserve({ capture_id: captureId, amount: 60 });
    expect(await send(reserved)).toMatchObject({ status: "succeeded" });
    await giveBack(shop, paymentId, { source: "console", amount: 4_000 });
    expect(await newest()).toMatchObject({ source: "gateway", amount: 40, needs_review: false });
    expect(await dueOf(company, String(orderId))).toEqual([]);
    expect(await sentBackOf(shop, paymentId)).toHaveLength(2);
  });

  test("more than the payment is up for review, until the other refund fails", async () => {
    const { company, connected } = shop;
    const { captureId, paymentId, orderId } = await paidOrder(shop);
    await gatewayFaults(company, connected, { refund_pending: 1 });
    const pending = await newRefund(company, { capture_id: captureId });
    await gatewayFaults(company, connected, {});
    const entity = {
      ...{ id: `rfnd_${captureId}`, entity: "refund", amount: 10_000, currency: "INR" },
      ...{ payment_id: paymentId, status: "processed", notes: [], receipt: null },
    };
    must(await deliver(company, connected, refundEvent(entity)), 200);
    expect(await newest()).toMatchObject({ source: "gateway", needs_review: true });
    await expectSound(company);
    await endAtGateway(shop, pending.gateway_refund_id, "failed");
    expect(await newest()).toMatchObject({ source: "gateway", needs_review: false });
    expect(await read(shop, orderId)).toMatchObject({ review_code: null, needs_refund: false });
    expect(await dueOf(company, String(orderId))).toEqual([]);
  });

  test("by a credit note: the note is the paper of the console's refund, once its own has failed", async () => {
    const { company } = shop;
    const before = await balancesOf(company);
    const { paymentId, orderId } = await paidOrder(shop, "paid");
    const { invoice_id: invoiceId } = await read(shop, orderId);
    const note = await newNote(company, String(invoiceId));
    const reserved = await reserve({ credit_note_id: note.id, reason: "sales_return" });
    await giveBack(shop, paymentId, { source: "console" });
    expect(await newest()).toMatchObject({ needs_review: true, credit_note_id: null });
    expect(await send(reserved)).toMatchObject(exceeded);
    expect(await newest()).toMatchObject({ needs_review: false, credit_note_id: note.id });
    expect(await read(shop, orderId)).toMatchObject({ review_code: null, needs_refund: false });
    expect(await dueOf(company, String(orderId))).toEqual([]);
    expect((await balancesOf(company))["Razorpay Clearing"]).toBe(before["Razorpay Clearing"]);
    expect(await sentBackOf(shop, paymentId)).toHaveLength(1);
  });
});
