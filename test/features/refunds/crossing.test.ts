import { afterEach, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { redirectEvents } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { deliver, openShop } from "../storefront/shop.ts";
import {
  endAtGateway,
  getRefund,
  giveBack,
  newRefund,
  type RefundRecord,
  refundEvent,
  sentBackOf,
} from "./refunds.ts";
import { newestRefund, openOf, soldOrder, UNKNOWN, withFaults } from "./sales.ts";

const STEP = 3 * 60;

// A refund is reserved here before its gateway has it; meanwhile a person refunds the same payment at the gateway's console.
describe("a refund that crosses one of the gateway's console, of the same money", async () => {
  const shop = await openShop();
  let clock = 0;
  afterEach(() => expectSound(shop.company));

  /** A refund of which its gateway has not heard yet. */
  async function reserve(fields: Record<string, unknown>): Promise<RefundRecord> {
    const reserved = await withFaults(shop, { refused_call: 1 }, () => newRefund(shop.company, fields));
    expect(reserved).toMatchObject({ status: "created", gateway_refund_id: null });
    return reserved;
  }
  /** Lets the job send what is reserved. */
  async function send({ id }: RefundRecord): Promise<RefundRecord> {
    clock += STEP;
    await shop.company.clock(clock);
    await shop.company.sweep(async () => {
      const [row] = await shop.company.rows("SELECT status FROM gateway_refunds WHERE id = ?", Number(id));
      return row?.status !== "created";
    });
    return getRefund(shop.company, id);
  }
  const newest = () => newestRefund(shop.company);
  const exceeded = { status: "failed", failure_code: "refund_exceeds_payment" };

  test.each([
    [10_000, 10_000, 0],
    [6_000, 6_000, 40],
    [6_000, 10_000, 0],
  ])("%i reserved, then %i reported, then sent: %i are left", async (asked, reported, left) => {
    const { company } = shop;
    const before = await balancesOf(company);
    const sale = await soldOrder(shop, "twice");
    const reserved = await reserve({ capture_id: sale.captureId, amount: asked / 100 });
    await giveBack(shop, sale.paymentId, { source: "console", amount: reported });
    expect(await newest()).toMatchObject({ source: "gateway", amount: reported / 100, needs_review: true });
    expect(await sale.read()).toMatchObject({ review_code: "refunded_at_gateway" });
    await expectSound(company);
    expect(await send(reserved)).toMatchObject(exceeded);
    // What the failed refund had reserved bears what the gateway gave back: no money waits that is not there.
    expect(await newest()).toMatchObject({ source: "gateway", needs_review: false });
    expect(await sale.read()).toMatchObject({ review_code: null, needs_refund: left > 0 });
    expect(await sale.due()).toEqual(left > 0 ? [left] : []);
    const after = await balancesOf(company);
    expect((after["Customer Advances"] ?? 0) - (before["Customer Advances"] ?? 0)).toBeCloseTo(-left);
    expect(after["Sundry Debtors"]).toBe(before["Sundry Debtors"]);
    expect(await sentBackOf(shop, sale.paymentId)).toHaveLength(1);
    if (left > 0) await sale.refund();
  });

  test.each([
    ["and its event is lost", true],
    ["after the refund was reserved", false],
  ])("the sale's other payment went back at the console %s: nothing is sent", async (_when, isLost) => {
    const { company, connected } = shop;
    const before = await balancesOf(company);
    const sale = await soldOrder(shop, "twice");
    const wanted = { order_id: sale.id };
    const reserved = isLost ? undefined : await reserve(wanted);
    if (isLost) await redirectEvents(company, connected, `${company.url}/nowhere`);
    await sale.console();
    if (isLost) await redirectEvents(company, connected, String(connected.merchant.webhook_url));
    const ended = reserved === undefined ? await newRefund(company, wanted) : await send(reserved);
    expect(ended).toMatchObject(exceeded);
    expect(await sentBackOf(shop, ...sale.payments.map(({ payment }) => payment))).toHaveLength(1);
    expect(await sale.read()).toMatchObject({
      ...{ refunded_amount: 100, review_code: null, needs_refund: false },
    });
    expect(await sale.due()).toEqual([]);
    const after = await balancesOf(company);
    for (const account of ["Customer Advances", "Sundry Debtors"])
      expect(after[account] ?? 0).toBe(before[account] ?? 0);
  });

  test("and its event is lost: the money that the refund had reserved is what the console took", async () => {
    const { company, connected } = shop;
    const sale = await soldOrder(shop, "twice");
    const reserved = await reserve({ capture_id: sale.captureId });
    await redirectEvents(company, connected, `${company.url}/nowhere`);
    await giveBack(shop, sale.paymentId, { source: "console" });
    await redirectEvents(company, connected, String(connected.merchant.webhook_url));
    expect(await send(reserved)).toMatchObject(exceeded);
    // The job records what the console took once its own refund has failed.
    const taken =
      "SELECT advance_amount, covered_amount FROM gateway_refunds WHERE source = 'gateway' AND id > ?";
    await expect
      .poll(() => company.rows(taken, Number(reserved.id)))
      .toEqual([{ advance_amount: 10_000, covered_amount: 0 }]);
    expect(await sale.due()).toEqual([]);
  });

  test("more than the payment is listed for a review, until the other refund fails", async () => {
    const { company, connected } = shop;
    const sale = await soldOrder(shop, "twice");
    const pending = await withFaults(shop, { refund_pending: 1 }, () =>
      newRefund(company, { capture_id: sale.captureId }),
    );
    const entity = { id: `rfnd_${sale.id}`, amount: 10_000, payment_id: sale.paymentId };
    must(await deliver(company, connected, refundEvent(entity)), 200);
    expect((await newest()).id).toBe(pending.id);
    expect(await openOf(company)).toEqual([UNKNOWN]);
    await expectSound(company);
    await endAtGateway(shop, pending.gateway_refund_id, "failed");
    await expect.poll(() => openOf(company)).toEqual([]);
    expect(await newest()).toMatchObject({ source: "gateway", needs_review: false });
    expect(await sale.read()).toMatchObject({ review_code: null, needs_refund: false });
    expect(await sale.due()).toEqual([]);
  });

  test("by a credit note: the note is the paper of the console's refund, once its own has failed", async () => {
    const { company } = shop;
    const before = await balancesOf(company);
    const sale = await soldOrder(shop);
    const note = await sale.note();
    const reserved = await reserve({ credit_note_id: note.id, reason: "sales_return" });
    await sale.console();
    expect(await newest()).toMatchObject({ needs_review: true, credit_note_id: null });
    expect(await send(reserved)).toMatchObject(exceeded);
    expect(await newest()).toMatchObject({ needs_review: false, credit_note_id: note.id });
    expect(await sale.read()).toMatchObject({ review_code: null, needs_refund: false });
    expect(await sale.due()).toEqual([]);
    expect((await balancesOf(company))["Razorpay Clearing"]).toBe(before["Razorpay Clearing"]);
    expect(await sentBackOf(shop, sale.paymentId)).toHaveLength(1);
  });
});
