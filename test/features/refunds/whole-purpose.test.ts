import { afterAll, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { balancesOf } from "../captures/captures.ts";
import { rowsOf } from "../commerce.ts";
import { newUnpaid, opened, openSeller } from "../payments/online/unpaid.ts";
import { daysAhead, newBooking, setRules } from "../school.ts";
import { read, resolve } from "../storefront/orders/review.ts";
import { deliver, gatewayOrderOf, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import {
  dueOf,
  endAtGateway,
  giveBack,
  newRefund,
  paidOrder,
  paymentsOf,
  postRefund,
  refundEvent,
  type Shop,
  sentBackOf,
} from "./refunds.ts";

const nothing = { status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 0 } };
const statesOf = async ({ company }: Shop, kind: string, id: string) =>
  (await paymentsOf(company, kind, id)).map(({ state }) => state);

describe("an order that was paid twice, and whose first payment goes back at the gateway's console", async () => {
  const shop = await openShop();
  const { company } = shop;
  afterAll(() => expectSound(company));

  async function paidTwice() {
    const { orderId } = await paidOrder(shop);
    const [first, second] = await paymentsOf(company, "order", String(orderId));
    if (first === undefined || second === undefined) throw new Error("The order was not paid twice");
    const order = { order_id: String(orderId) };
    return { orderId, order, first, second, due: () => dueOf(company, String(orderId)) };
  }

  test("is owed nothing more: the second payment stands for the first", async () => {
    const before = await balancesOf(company);
    const { orderId, order, first, second, due } = await paidTwice();
    await giveBack(shop, first.payment, { source: "console" });
    expect(await due()).toEqual([]);
    expect(await read(shop, orderId)).toMatchObject({
      ...{ needs_refund: false, review_code: null, refund_status: "partial", refunded_amount: 100 },
    });
    expect(await statesOf(shop, "order", String(orderId))).toEqual(["refunded", "invoiced"]);
    expect(await balancesOf(company)).toMatchObject({
      "Razorpay Clearing": (before["Razorpay Clearing"] ?? 0) + 100,
    });
    for (const name of ["Customer Advances", "Sundry Debtors"])
      expect((await balancesOf(company))[name]).toEqual(before[name]);
    for (const more of [order, { capture_id: first.id }, { capture_id: second.id }])
      expect(await postRefund(company, more)).toMatchObject(nothing);
    expect((await sentBackOf(shop, first.payment, second.payment)).length).toBe(1);
    await expectSound(company);
  });

  test("is sent by nothing but a credit note, through the second payment", async () => {
    const before = await balancesOf(company);
    const { orderId, order, first, second, due } = await paidTwice();
    await giveBack(shop, first.payment, { source: "console" });
    const sent = await newRefund(company, { ...order, reason: "sales_return" });
    expect(sent).toMatchObject({ status: "succeeded", amount: 100, capture_id: second.id });
    expect(sent.credit_note_id).not.toBeNull();
    expect(await due()).toEqual([]);
    expect(await read(shop, orderId)).toMatchObject({ refund_status: "refunded", refunded_amount: 200 });
    expect(await balancesOf(company)).toMatchObject({
      "Razorpay Clearing": before["Razorpay Clearing"] ?? 0,
    });
    expect(await postRefund(company, { ...order, reason: "sales_return" })).toMatchObject(nothing);
    await expectSound(company);
  });

  test("is owed it again once that refund fails", async () => {
    const before = await balancesOf(company);
    const { orderId, order, first, second, due } = await paidTwice();
    const made = await giveBack(shop, first.payment, { source: "console" });
    await endAtGateway(shop, made.id, "failed");
    expect(await due()).toEqual([100]);
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: true, refunded_amount: 0 });
    await expectSound(company);
    expect(await newRefund(company, order)).toMatchObject({ status: "succeeded", amount: 100 });
    expect(await due()).toEqual([]);
    expect(await balancesOf(company)).toMatchObject({
      "Razorpay Clearing": (before["Razorpay Clearing"] ?? 0) + 100,
    });
    expect((await sentBackOf(shop, first.payment, second.payment)).length).toBe(2);
    await expectSound(company);
  });

  test("is owed what a part leaves", async () => {
    const { orderId, order, first, due } = await paidTwice();
    await giveBack(shop, first.payment, { source: "console", amount: 4_000 });
    expect(await due()).toEqual([60]);
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: true, review_code: null });
    expect(await newRefund(company, order)).toMatchObject({ amount: 60, credit_note_id: null });
    expect(await due()).toEqual([]);
    expect(await postRefund(company, order)).toMatchObject(nothing);
    // The sale is kept by what is left of both.
    expect(await newRefund(company, { ...order, reason: "sales_return" })).toMatchObject({ amount: 60 });
    expect(await read(shop, orderId)).toMatchObject({ refund_status: "refunded", refunded_amount: 200 });
    await expectSound(company);
  });

  test("is owed what an invoice that is voided after that leaves, through the second payment", async () => {
    const { orderId, order, first, second, due } = await paidTwice();
    await giveBack(shop, first.payment, { source: "console" });
    const { invoice_id: invoiceId } = await read(shop, orderId);
    must(await company.call("POST", `/invoices/:company/${invoiceId}/void`), 200);
    expect(await due()).toEqual([100]);
    expect(await newRefund(company, { ...order, reason: "cancellation" })).toMatchObject({
      ...{ capture_id: second.id, status: "succeeded", amount: 100 },
    });
    expect(await due()).toEqual([]);
    await expectSound(company);
  });

  test("is owed nothing while that refund is on its way", async () => {
    const { orderId, order, first, due } = await paidTwice();
    const entity = {
      ...{ id: `rfnd_${first.id}`, entity: "refund", payment_id: first.payment, amount: 10_000 },
      ...{ currency: "INR", status: "pending", notes: [], receipt: null },
    };
    must(await deliver(company, shop.connected, refundEvent(entity, "refund.created")), 200);
    expect(await due()).toEqual([]);
    expect(await postRefund(company, order)).toMatchObject(nothing);
    const end = refundEvent({ ...entity, status: "failed" }, "refund.failed");
    must(await deliver(company, shop.connected, end), 200);
    expect(await due()).toEqual([100]);
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: true, review_code: null });
    await expectSound(company);
  });

  test("and staff have marked as given back before: it is the same money", async () => {
    const before = await balancesOf(company);
    const { orderId, first, due } = await paidTwice();
    must(await resolve(shop, orderId, { action: "dismiss", outside_reference: "Console" }), 200);
    await giveBack(shop, first.payment, { source: "console" });
    expect(await due()).toEqual([]);
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: false, review_code: null });
    expect(await statesOf(shop, "order", String(orderId))).toEqual(["refunded", "invoiced"]);
    expect(await balancesOf(company)).toMatchObject({
      "Razorpay Clearing": (before["Razorpay Clearing"] ?? 0) + 100,
    });
    for (const name of ["Customer Advances", "Sundry Debtors"])
      expect((await balancesOf(company))[name]).toEqual(before[name]);
    await expectSound(company);
  });

  test("is owed nothing either if the second payment comes after that", async () => {
    const before = await balancesOf(company);
    const placed = await placeOrder(company);
    const orderId = placed.order_id;
    await play(company, "razorpay", gatewayOrderOf(placed), "paid");
    const [first] = await paymentsOf(company, "order", String(orderId));
    const made = await giveBack(shop, first?.payment ?? "", { source: "console" });
    expect(await read(shop, orderId)).toMatchObject({ review_code: "refunded_at_gateway" });
    must(await deliver(company, shop.connected, razorpayEvent(placed, { type: "payment.captured" })), 200);
    expect(await dueOf(company, String(orderId))).toEqual([]);
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: false, review_code: null });
    expect(await statesOf(shop, "order", String(orderId))).toEqual(["refunded", "invoiced"]);
    for (const name of ["Customer Advances", "Sundry Debtors"])
      expect((await balancesOf(company))[name]).toEqual(before[name]);
    await expectSound(company);
    await endAtGateway(shop, made.id, "failed");
    expect(await dueOf(company, String(orderId))).toEqual([100]);
    await expectSound(company);
  });
});

describe("a booking that was paid twice, and whose first payment goes back at the gateway's console", async () => {
  const { school, gateway: connected } = await openWithGateway();
  const shop: Shop = { company: school.company, connected };
  const { company } = shop;
  const reviewOf = async (id: string) =>
    must(await company.call<object>("GET", `/settings/:company/bookings/${id}`), 200).body.data;

  test.each([
    [false, 7],
    [true, 8],
  ])("keeps its document and its lesson (invoices: %s)", async (issue_invoices, day) => {
    await setRules(company, { issue_invoices });
    const before = await balancesOf(company);
    const at = { booking_date: daysAhead(day), start_time: "10:00" };
    const { id, total_amount: price } = await newBooking(school, at);
    await play(company, "razorpay", orderOf(await pay(school, id)), "twice");
    const [first, second] = await paymentsOf(company, "booking", id);
    await giveBack(shop, first?.payment ?? "", { source: "console" });
    expect(await dueOf(company, second?.id ?? "")).toEqual([]);
    expect(await reviewOf(id)).toMatchObject({
      ...{ status: "confirmed", payment_status: "paid", refunded_amount: price, needs_review: false },
    });
    expect(await statesOf(shop, "booking", id)).toEqual(["refunded", "invoiced"]);
    expect(await postRefund(company, { booking_id: id })).toMatchObject(nothing);
    await expectSound(company);
    // All of it goes back through the payment that the gateway still has.
    const sent = await newRefund(company, { booking_id: id, reason: "cancellation" });
    expect(sent).toMatchObject({ amount: price, capture_id: second?.id, sibling_ids: [] });
    expect(await reviewOf(id)).toMatchObject({ payment_status: "refunded", refunded_amount: 2 * price });
    expect(await balancesOf(company)).toEqual(before);
    await expectSound(company);
  });
});

test("an invoice that was paid twice is owed nothing once its first payment went back at the console", async () => {
  const seller = await openSeller();
  const { company, connected } = seller;
  const shop = { company, connected };
  const unpaid = await newUnpaid(seller);
  await play(company, "razorpay", await opened(seller, unpaid), "twice");
  const [first, second] = await paymentsOf(company, "invoice", unpaid.invoice.id);
  expect(await dueOf(company, second?.id ?? "")).toEqual([354]);
  await giveBack(shop, first?.payment ?? "", { source: "console" });
  expect(await dueOf(company, second?.id ?? "")).toEqual([]);
  expect(await postRefund(company, { capture_id: second?.id })).toMatchObject(nothing);
  expect(await statesOf(shop, "invoice", unpaid.invoice.id)).toEqual(["refunded", "invoiced"]);
  const [refund] = await rowsOf(company, "SELECT credit_note_id, customer_id FROM gateway_refunds");
  expect(refund).toMatchObject({ credit_note_id: null });
  expect(await balancesOf(company)).not.toHaveProperty("Customer Advances");
  await expectSound(company);
});
