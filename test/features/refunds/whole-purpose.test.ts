import { afterEach, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { setRules } from "../school.ts";
import { resolve } from "../storefront/orders/review.ts";
import { deliver, gatewayOrderOf, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import { endAtGateway, paymentsOf, postRefund, refundEvent } from "./refunds.ts";
import { allDue, NOTHING_LEFT, openLessons, type Sale, saleOf, soldOrder } from "./sales.ts";

const SALE = { reason: "sales_return" };
const statesOf = async ({ company, kind, id }: Sale) =>
  (await paymentsOf(company, kind, id)).map(({ state }) => state);

describe("an order that was paid twice, and whose first payment goes back at the gateway's console", async () => {
  const shop = await openShop();
  const { company } = shop;
  afterEach(() => expectSound(company));

  const paidTwice = () => soldOrder(shop, "twice");
  const clearingOf = async () => (await balancesOf(company))["Razorpay Clearing"] ?? 0;
  /** The gateway has so much more than before, and what waits and what customers owe is as it was. */
  async function expectBooked(before: Record<string, number>, more: number) {
    const after = await balancesOf(company);
    expect(await clearingOf()).toBe((before["Razorpay Clearing"] ?? 0) + more);
    for (const name of ["Customer Advances", "Sundry Debtors"]) expect(after[name]).toEqual(before[name]);
  }

  test("is owed nothing more: the second payment stands for the first", async () => {
    const before = await balancesOf(company);
    const sale = await paidTwice();
    await sale.console();
    expect(await sale.due()).toEqual([]);
    expect(await sale.read()).toMatchObject({
      ...{ needs_refund: false, review_code: null, refund_status: "partial", refunded_amount: 100 },
    });
    expect(await statesOf(sale)).toEqual(["refunded", "invoiced"]);
    await expectBooked(before, 100);
    for (const more of [{ order_id: sale.id }, ...sale.payments.map(({ id }) => ({ capture_id: id }))])
      expect(await postRefund(company, more)).toMatchObject(NOTHING_LEFT);
    expect(await sale.sent()).toBe(100);
    await expectSound(company);
    // Nothing but a credit note sends the second one, too.
    const sent = await sale.refund(SALE);
    expect(sent).toMatchObject({ status: "succeeded", amount: 100, capture_id: sale.payments[1]?.id });
    expect(sent.credit_note_id).not.toBeNull();
    expect(await sale.read()).toMatchObject({ refund_status: "refunded", refunded_amount: 200 });
    expect(await clearingOf()).toBe(before["Razorpay Clearing"] ?? 0);
    expect(await sale.post(SALE)).toMatchObject(NOTHING_LEFT);
  });

  test("is owed what a part leaves", async () => {
    const sale = await paidTwice();
    await sale.console(40);
    expect(await sale.due()).toEqual([60]);
    expect(await sale.read()).toMatchObject({ needs_refund: true, review_code: null });
    expect(await sale.refund()).toMatchObject({ amount: 60, credit_note_id: null });
    expect(await sale.due()).toEqual([]);
    expect(await sale.post()).toMatchObject(NOTHING_LEFT);
    // The sale is kept by what is left of both.
    expect(await sale.refund(SALE)).toMatchObject({ amount: 60 });
    expect(await sale.read()).toMatchObject({ refund_status: "refunded", refunded_amount: 200 });
  });

  test("is owed what an invoice that is voided after that leaves, through the second payment", async () => {
    const sale = await paidTwice();
    await sale.console();
    must(await company.call("POST", `/invoices/:company/${sale.invoiceId}/void`), 200);
    expect(await sale.due()).toEqual([100]);
    expect(await sale.refund({ reason: "cancellation" })).toMatchObject({
      ...{ capture_id: sale.payments[1]?.id, status: "succeeded", amount: 100 },
    });
    expect(await sale.due()).toEqual([]);
  });

  test("is owed nothing while that refund is on its way", async () => {
    const sale = await paidTwice();
    const entity = {
      ...{ id: `rfnd_${sale.id}`, payment_id: sale.payments[0]?.payment, amount: 10_000 },
      status: "pending",
    };
    must(await deliver(company, shop.connected, refundEvent(entity, "refund.created")), 200);
    expect(await sale.due()).toEqual([]);
    expect(await sale.post()).toMatchObject(NOTHING_LEFT);
    const end = refundEvent({ ...entity, status: "failed" }, "refund.failed");
    must(await deliver(company, shop.connected, end), 200);
    expect(await sale.due()).toEqual([100]);
    expect(await sale.read()).toMatchObject({ needs_refund: true, review_code: null });
  });

  test("and staff have marked as given back before: it is the same money", async () => {
    const before = await balancesOf(company);
    const sale = await paidTwice();
    must(await resolve(shop, sale.orderId, { action: "dismiss", outside_reference: "Console" }), 200);
    await sale.console();
    expect(await sale.due()).toEqual([]);
    expect(await sale.read()).toMatchObject({ needs_refund: false, review_code: null });
    expect(await statesOf(sale)).toEqual(["refunded", "invoiced"]);
    await expectBooked(before, 100);
  });

  test("is owed nothing either if the second payment comes after that", async () => {
    const before = await balancesOf(company);
    const placed = await placeOrder(company);
    await play(company, "razorpay", gatewayOrderOf(placed), "paid");
    const sale = await saleOf(shop, "order", String(placed.order_id));
    const made = await sale.console();
    expect(await sale.read()).toMatchObject({ review_code: "refunded_at_gateway" });
    must(await deliver(company, shop.connected, razorpayEvent(placed, { type: "payment.captured" })), 200);
    expect(await sale.due()).toEqual([]);
    expect(await sale.read()).toMatchObject({ needs_refund: false, review_code: null });
    expect(await statesOf(sale)).toEqual(["refunded", "invoiced"]);
    await expectBooked(before, 100);
    await expectSound(company);
    await endAtGateway(shop, made.id, "failed");
    expect(await sale.due()).toEqual([100]);
  });
});

test.each([false, true])(
  "a booking that was paid twice, and whose first payment goes back there, keeps its document and its lesson (invoices: %s)",
  async (issue_invoices) => {
    const lessons = await openLessons();
    const { company } = lessons;
    await setRules(company, { issue_invoices });
    const sale = await lessons.sold("twice");
    const { price } = sale;
    await sale.console();
    expect(await allDue(company)).toEqual([]);
    expect(await sale.read()).toMatchObject({
      ...{ status: "confirmed", payment_status: "paid", refunded_amount: price, needs_review: false },
    });
    expect(await statesOf(sale)).toEqual(["refunded", "invoiced"]);
    expect(await sale.post()).toMatchObject(NOTHING_LEFT);
    await expectSound(company);
    // All of it goes back through the payment that the gateway still has.
    const sent = await sale.refund({ reason: "cancellation" });
    expect(sent).toMatchObject({ amount: price, capture_id: sale.payments[1]?.id, sibling_ids: [] });
    expect(await sale.read()).toMatchObject({ payment_status: "refunded", refunded_amount: 2 * price });
    expect(await balancesOf(company)).toEqual({});
    await expectSound(company);
  },
);
