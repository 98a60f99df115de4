import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { gatewayFaults, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { rowsOf } from "../commerce.ts";
import { tally } from "../money.ts";
import { daysAhead, newBooking, setRules } from "../school.ts";
import { invalid, read as readOrder, resolve } from "../storefront/orders/review.ts";
import { openShop } from "../storefront/shop.ts";
import { endAtGateway, ledgerOf, newRefund, paidOrder, postRefund, type Shop } from "./refunds.ts";

const nothing = { status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 0 } };
const refund = { action: "refund" };

describe("an order that was paid twice", () => {
  let shop: Awaited<ReturnType<typeof openShop>>;
  beforeAll(async () => {
    shop = await openShop();
  });
  // What is due goes back; the sale is not credited.
  afterAll(async () => {
    expect(await rowsOf(shop.company, "SELECT id FROM credit_notes")).toEqual([]);
    await expectSound(shop.company);
  });

  test("is resolved by a refund once", async () => {
    const { orderId } = await paidOrder(shop);
    must(await resolve(shop, orderId, refund), 200);
    expect(await resolve(shop, orderId, refund)).toMatchObject(invalid);
    expect(await readOrder(shop, orderId)).toMatchObject({ needs_refund: false, refunded_amount: 100 });
  });

  test("is resolved once also while its refund is on its way", async () => {
    const { orderId } = await paidOrder(shop);
    await gatewayFaults(shop.company, shop.connected, { refund_pending: 1 });
    must(await resolve(shop, orderId, refund), 200);
    await gatewayFaults(shop.company, shop.connected, {});
    expect(await readOrder(shop, orderId)).toMatchObject({ needs_refund: false, refund_status: "pending" });
    expect(await resolve(shop, orderId, refund)).toMatchObject(invalid);
    const [last] = (await ledgerOf(shop)).slice(-1);
    await endAtGateway(shop, last?.id ?? null, "succeeded");
  });

  test("five resolutions at once: one passes", async () => {
    const { orderId } = await paidOrder(shop);
    const before = (await ledgerOf(shop)).length;
    const answers = await Promise.all(Array.from({ length: 5 }, () => resolve(shop, orderId, refund)));
    expect(tally(answers)).toEqual({ 200: 1, 409: 4 });
    expect((await ledgerOf(shop)).length - before).toBe(1);
  });

  test.each(["duplicate_payment", "late_payment"])(
    "gives nothing more back for the reason %s once that is back",
    async (reason) => {
      const { orderId } = await paidOrder(shop);
      const body = { order_id: String(orderId), reason };
      expect(await newRefund(shop.company, body)).toMatchObject({ amount: 100, credit_note_id: null });
      for (const more of [{}, { amount: 10 }])
        expect(await postRefund(shop.company, { ...body, ...more })).toMatchObject(nothing);
      expect(await postRefund(shop.company, { ...body, items: [{ item: 1, quantity: 1 }] })).toMatchObject({
        status: 422,
        body: { errors: [{ field: "items", code: "not_accepted" }] },
      });
    },
  );

  test("whose surplus is back gives back no more by a resolution", async () => {
    const { orderId } = await paidOrder(shop);
    await rowsOf(shop.company, "UPDATE sales_orders SET review_code = 'overcaptured' WHERE id = ?", [
      orderId,
    ]);
    await newRefund(shop.company, { order_id: String(orderId) });
    expect(await readOrder(shop, orderId)).toMatchObject({
      review_code: "overcaptured",
      needs_refund: false,
    });
    expect(await resolve(shop, orderId, refund)).toMatchObject(invalid);
    must(await resolve(shop, orderId, { action: "dismiss" }), 200);
  });

  test("the reason other needs a text that can be seen", async () => {
    const { orderId } = await paidOrder(shop);
    for (const reason_text of [null, "", "  \n ", "\u200b", " \u2060\u00ad\ufeff"])
      expect(
        await postRefund(shop.company, { order_id: String(orderId), reason: "other", reason_text }),
      ).toMatchObject({ status: 422, body: { errors: [{ field: "reason_text", code: "required" }] } });
  });

  test("none of what is not there is resolved", async () => {
    expect((await resolve(shop, 99_999, refund)).status).toBe(404);
  });
});

describe("a booking that was paid twice", async () => {
  const { school, gateway: connected } = await openWithGateway();
  const shop: Shop = { company: school.company, connected };
  afterAll(() => expectSound(school.company));
  const read = async (id: string) =>
    must(await shop.company.call<object>("GET", `/settings/:company/bookings/${id}`), 200).body.data;

  test.each([
    [false, 7],
    [true, 8],
  ])("keeps its document and its lesson (invoices: %s)", async (issue_invoices, day) => {
    await setRules(school.company, { issue_invoices });
    const at = { booking_date: daysAhead(day), start_time: "10:00" };
    const { id, total_amount: price } = await newBooking(school, at);
    await play(shop.company, "razorpay", orderOf(await pay(school, id)), "twice");
    const documents = () =>
      rowsOf(
        shop.company,
        `SELECT ended_by, status FROM lesson_sales LEFT JOIN invoices ON invoices.id = invoice_id WHERE booking_id = ?`,
        [id],
      );
    const before = await documents();
    expect(before).toHaveLength(1);
    expect(await read(id)).toMatchObject({ needs_review: true });
    const sent = await newRefund(shop.company, { booking_id: id, reason: "duplicate_payment" });
    expect(sent).toMatchObject({ amount: price, credit_note_id: null, sibling_ids: [] });
    expect(await postRefund(shop.company, { booking_id: id })).toMatchObject(nothing);
    expect(await documents()).toEqual(before);
    expect(await read(id)).toMatchObject({
      ...{ status: "confirmed", payment_status: "paid", refunded_amount: price, needs_review: false },
    });
  });

  test("is reviewed until the money is back, and for another cause after that", async () => {
    const paidTwice = async (day: number) => {
      const { id } = await newBooking(school, { booking_date: daysAhead(day), start_time: "10:00" });
      await play(shop.company, "razorpay", orderOf(await pay(school, id)), "twice");
      return id;
    };
    const [id, other] = [await paidTwice(9), await paidTwice(10)];
    await rowsOf(shop.company, "UPDATE bookings SET needs_review = 1 WHERE id = ?", [other]);
    const back = { reason: "duplicate_payment" };
    await gatewayFaults(shop.company, connected, { refund_pending: 1 });
    const pending = await newRefund(shop.company, { ...back, booking_id: id });
    await gatewayFaults(shop.company, connected, {});
    expect(await read(id)).toMatchObject({ needs_review: true });
    await endAtGateway(shop, pending.gateway_refund_id, "succeeded");
    expect(await read(id)).toMatchObject({ needs_review: false });
    await newRefund(shop.company, { ...back, booking_id: other });
    expect(await read(other)).toMatchObject({ needs_review: true });
  });
});
