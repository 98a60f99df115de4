import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { gatewayFaults, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { rowsOf } from "../commerce.ts";
import { typesOf } from "../events/events.ts";
import { tally } from "../money.ts";
import { read, resolve } from "../storefront/orders/review.ts";
import { gatewayOrderOf, line, openShop, placeOrder } from "../storefront/shop.ts";
import {
  endAtGateway,
  ledgerOf,
  newRefund,
  notesOf,
  paidOrder,
  postRefund,
  retry,
  taxedOrder,
} from "./refunds.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  await expectSound(shop.company);
});

const cancellation = { reason: "cancellation" };

describe("an order that is invoiced", () => {
  test("goes back whole with its credit note, in one call", async () => {
    const id = await taxedOrder(shop);
    await rowsOf(shop.company, "UPDATE sales_orders SET review_code = 'oversold' WHERE id = ?", [id]);
    const sent = await newRefund(shop.company, { ...cancellation, order_id: String(id) });
    expect(sent).toMatchObject({
      status: "succeeded",
      amount: 1_180,
      order_id: String(id),
      booking_id: null,
    });
    expect(sent.credit_note_id).not.toBeNull();
    expect(await notesOf(shop, id)).toEqual([
      {
        round_off: 0,
        reason: "cancellation",
        taxable_total: 100_000,
        tax_total: 18_000,
        total_amount: 118_000,
        unapplied_amount: 0,
      },
    ]);
    expect(await read(shop, id)).toMatchObject({
      ...{ status: "invoiced", needs_refund: false, refund_status: "refunded", refunded_amount: 1_180 },
      review_code: null,
    });
    expect(await typesOf(shop.company, "type=order.refunded")).toHaveLength(1);
    const more = await postRefund(shop.company, { order_id: String(id) });
    expect(more).toMatchObject({
      status: 422,
      body: { code: "refund_exceeds_payment", refundable_amount: 0 },
    });
  });

  test("goes back by lines, then by an amount, then the rest", async () => {
    const id = await taxedOrder(shop);
    const one = { ...cancellation, order_id: String(id), items: [{ item: 1, quantity: 1 }] };
    expect(await newRefund(shop.company, one)).toMatchObject({ amount: 354, status: "succeeded" });
    expect(await read(shop, id)).toMatchObject({ refund_status: "partial", refunded_amount: 354 });
    expect(
      await newRefund(shop.company, { order_id: String(id), amount: 100, reason: "post_sale_discount" }),
    ).toMatchObject({
      amount: 100,
    });
    expect(await newRefund(shop.company, { ...cancellation, order_id: String(id) })).toMatchObject({
      amount: 726,
    });
    expect(await read(shop, id)).toMatchObject({ refund_status: "refunded", refunded_amount: 1_180 });
    const notes = await notesOf(shop, id);
    expect(notes.map(({ total_amount, unapplied_amount }) => [total_amount, unapplied_amount])).toEqual([
      [35_400, 0],
      [10_000, 0],
      [72_600, 0],
    ]);
  });

  test("lines that there are not, and more than came, are refused", async () => {
    const id = await taxedOrder(shop);
    const wrong: [object, number, string][] = [
      [{ items: [{ item: 3, quantity: 1 }] }, 422, "items[0].item"],
      [{ items: [{ item: 1, quantity: 3 }] }, 422, "items[0]"],
      [{ amount: 1_180.01 }, 422, "amount"],
      [{ amount: 1, items: [{ item: 1, quantity: 1 }] }, 422, "amount"],
      [{ restock: true }, 422, "restock"],
    ];
    for (const [fields, status, field] of wrong)
      expect(
        await postRefund(shop.company, { ...cancellation, order_id: String(id), ...fields }),
      ).toMatchObject({
        status,
        body: { errors: [{ field }] },
      });
    expect(await notesOf(shop, id)).toEqual([]);
    expect((await postRefund(shop.company, { order_id: "99999" })).body).toMatchObject({
      errors: [{ field: "order_id", code: "not_found" }],
    });
  });

  test("twenty at once: one note, one refund at the gateway", async () => {
    const id = await taxedOrder(shop);
    const before = (await ledgerOf(shop)).length;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postRefund(shop.company, { ...cancellation, order_id: String(id) })),
    );
    expect(tally(answers)).toEqual({ 201: 1, 422: 19 });
    expect((await ledgerOf(shop)).length - before).toBe(1);
    expect(await notesOf(shop, id)).toHaveLength(1);
  });
});

describe("money above an order's price", () => {
  test("goes back first, and the order needs no refund then", async () => {
    const { orderId } = await paidOrder(shop);
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: true, refund_status: "none" });
    const sent = await newRefund(shop.company, { order_id: String(orderId) });
    expect(sent).toMatchObject({ amount: 100, credit_note_id: null, status: "succeeded" });
    expect(await read(shop, orderId)).toMatchObject({
      ...{ status: "invoiced", needs_refund: false, refund_status: "partial", refunded_amount: 100 },
    });
  });

  test("is due no more while it is on its way, and again if the bank sends it back", async () => {
    const { orderId } = await paidOrder(shop);
    await gatewayFaults(shop.company, shop.connected, { refund_pending: 1 });
    const sent = await newRefund(shop.company, { order_id: String(orderId) });
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: false, refund_status: "pending" });
    await endAtGateway(shop, sent.gateway_refund_id, "succeeded");
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: false, refund_status: "partial" });
    await endAtGateway(shop, sent.gateway_refund_id, "failed");
    expect(await read(shop, orderId)).toMatchObject({
      needs_refund: true,
      refund_status: "none",
      refunded_amount: 0,
    });
    await gatewayFaults(shop.company, shop.connected, {});
    must(await retry(shop.company, sent.id), 200);
    expect(await read(shop, orderId)).toMatchObject({ needs_refund: false, refunded_amount: 100 });
  });

  test("credit whose refund failed is due, and goes back by the same call", async () => {
    const id = await taxedOrder(shop);
    await gatewayFaults(shop.company, shop.connected, { refund_refused: 1 });
    expect((await newRefund(shop.company, { ...cancellation, order_id: String(id) })).status).toBe("failed");
    await gatewayFaults(shop.company, shop.connected, {});
    expect(await read(shop, id)).toMatchObject({ needs_refund: true, refund_status: "none" });
    const sent = await newRefund(shop.company, { ...cancellation, order_id: String(id) });
    expect(sent).toMatchObject({ status: "succeeded", amount: 1_180 });
    expect(await notesOf(shop, id)).toHaveLength(1);
    expect(await read(shop, id)).toMatchObject({ needs_refund: false, refund_status: "refunded" });
  });
});

describe("an order in review", () => {
  test("is cancelled when all of its money is back", async () => {
    const placed = await placeOrder(shop.company);
    const id = placed.order_id;
    await play(shop.company, "razorpay", gatewayOrderOf(placed), "wrong_amount");
    expect(await read(shop, id)).toMatchObject({ status: "draft", payment_status: "review" });
    await newRefund(shop.company, {
      order_id: String(id),
      amount: 50,
      reason: "other",
      reason_text: "Agreed",
    });
    expect(await read(shop, id)).toMatchObject({ payment_status: "review", refund_status: "partial" });
    await newRefund(shop.company, { order_id: String(id) });
    expect(await read(shop, id)).toMatchObject({
      ...{ status: "cancelled", payment_status: "unpaid", review_code: null, needs_refund: false },
      refund_status: "refunded",
    });
    const [last] = (await ledgerOf(shop)).slice(-1);
    await endAtGateway(shop, last?.id ?? null, "failed");
    expect(await read(shop, id)).toMatchObject({
      status: "cancelled",
      needs_refund: true,
      refund_status: "partial",
    });
    await newRefund(shop.company, { order_id: String(id) });
    expect(await read(shop, id)).toMatchObject({ needs_refund: false, refund_status: "refunded" });
  });

  test("counts as refunded once what staff did not give back by hand is back", async () => {
    const placed = await placeOrder(shop.company);
    const id = placed.order_id;
    await play(shop.company, "razorpay", gatewayOrderOf(placed), "wrong_amount");
    const part = { order_id: String(id), amount: 50, reason: "cancellation" };
    await newRefund(shop.company, part);
    expect(await read(shop, id)).toMatchObject({ refund_status: "partial", refunded_amount: 50 });
    const byBank = { action: "dismiss", outside_reference: "NEFT 1", payment_mode_id: 2 };
    must(await resolve(shop, id, byBank), 200);
    const ended = { needs_refund: false, refund_status: "refunded", refunded_amount: 50 };
    expect(await read(shop, id)).toMatchObject(ended);
    const [last] = (await ledgerOf(shop)).slice(-1);
    await endAtGateway(shop, last?.id ?? null, "failed");
    expect(await read(shop, id)).toMatchObject({ refund_status: "none", needs_refund: true });
    await newRefund(shop.company, { order_id: String(id) });
    expect(await read(shop, id)).toMatchObject(ended);
  });

  test("is resolved by a refund, for which the key needs its scope", async () => {
    const placed = await placeOrder(shop.company, {
      items: [{ ...line, unit_price: 1_000 }],
      tax_amount: 450,
    });
    const id = placed.order_id;
    await play(shop.company, "razorpay", gatewayOrderOf(placed), "paid");
    expect(await read(shop, id)).toMatchObject({ review_code: "tax_amount_implausible" });
    const key = await shop.company.key("orders:write");
    const refused = await shop.company.call("POST", `/orders/:company/${id}/resolve`, {
      key,
      body: { action: "refund" },
    });
    expect(refused).toMatchObject({ status: 403, body: { required_scope: "refunds:write" } });
    const headers = { "Idempotency-Key": `resolve-${id}` };
    const answer = must(await resolve(shop, id, { action: "refund", note: "Asked by mail" }, headers), 200)
      .body.data;
    expect(answer).toMatchObject({
      status: "cancelled",
      payment_status: "unpaid",
      refund_status: "refunded",
      refunded_amount: 1_450,
    });
    expect(
      must(await resolve(shop, id, { action: "refund", note: "Asked by mail" }, headers), 200).body.data,
    ).toEqual(answer);
    expect((await resolve(shop, id, { action: "refund" })).status).toBe(409);
    expect(await balancesOf(shop.company)).not.toHaveProperty("Customer Advances");
  });
});
