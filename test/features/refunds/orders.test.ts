import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound, soundAtEnd } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { getNote } from "../credit-notes/notes.ts";
import { typesOf } from "../events/events.ts";
import { newProduct, stockOf, tally } from "../money.ts";
import { refusal, wrongField } from "../refusal.ts";
import { read, resolve } from "../storefront/orders/review.ts";
import { gatewayOrderOf, line, openShop, placeOrder } from "../storefront/shop.ts";
import { endLast, ledgerOf, newRefund, notesOf, postRefund, taxedOrder } from "./refunds.ts";
import { NOTHING_LEFT, saleOf } from "./sales.ts";

const shop = soundAtEnd(await openShop());

const cancellation = { reason: "cancellation" };
const taxedSale = async () => {
  const orderId = await taxedOrder(shop);
  return { ...(await saleOf(shop, "order", String(orderId))), orderId };
};
/** An order whose money waits for staff. */
async function inReview(fields: object = {}, outcome: "paid" | "wrong_amount" = "wrong_amount") {
  const placed = await placeOrder(shop.company, { ...fields });
  await play(shop.company, "razorpay", gatewayOrderOf(placed), outcome);
  return { ...(await saleOf(shop, "order", String(placed.order_id))), orderId: placed.order_id };
}

test("an order without a payment is refused with words that say so", async () => {
  const { order_id } = await placeOrder(shop.company, {});
  expect(await postRefund(shop.company, { order_id: String(order_id) })).toMatchObject({
    ...NOTHING_LEFT,
    body: { code: "refund_exceeds_payment", message: expect.stringContaining("nothing was paid") },
  });
});

describe("an order that is invoiced", () => {
  test("goes back whole with its credit note, in one call", async () => {
    const sale = await taxedSale();
    await shop.company.rows("UPDATE sales_orders SET review_code = 'oversold' WHERE id = ?", sale.orderId);
    const sent = await sale.refund(cancellation);
    expect(sent).toMatchObject({
      status: "succeeded",
      amount: 1_180,
      order_id: sale.id,
      booking_id: null,
    });
    expect(sent.credit_note_id).not.toBeNull();
    expect(await notesOf(shop, sale.orderId)).toEqual([
      {
        round_off: 0,
        reason: "cancellation",
        taxable_total: 100_000,
        tax_total: 18_000,
        total_amount: 118_000,
        unapplied_amount: 0,
      },
    ]);
    expect(await sale.read()).toMatchObject({
      ...{ status: "invoiced", needs_refund: false, refund_status: "refunded", refunded_amount: 1_180 },
      review_code: null,
    });
    expect(await typesOf(shop.company, "type=order.refunded")).toHaveLength(1);
    expect(await sale.post()).toMatchObject(NOTHING_LEFT);
  });

  test("goes back by lines, then by an amount, then the rest", async () => {
    const sale = await taxedSale();
    const one = { ...cancellation, items: [{ item: 1, quantity: 1 }] };
    expect(await sale.refund(one)).toMatchObject({ amount: 354, status: "succeeded" });
    expect(await sale.read()).toMatchObject({ refund_status: "partial", refunded_amount: 354 });
    const discount = await sale.refund({ amount: 100, reason: "post_sale_discount" });
    expect(discount).toMatchObject({ amount: 100 });
    expect(await sale.refund(cancellation)).toMatchObject({ amount: 726 });
    expect(await sale.read()).toMatchObject({ refund_status: "refunded", refunded_amount: 1_180 });
    const notes = await notesOf(shop, sale.orderId);
    expect(notes.map(({ total_amount, unapplied_amount }) => [total_amount, unapplied_amount])).toEqual([
      [35_400, 0],
      [10_000, 0],
      [72_600, 0],
    ]);
  });

  test("lines that there are not, and more than came, are refused", async () => {
    const sale = await taxedSale();
    const wrong: [object, string][] = [
      [{ items: [{ item: 3, quantity: 1 }] }, "items[0].item"],
      [{ items: [{ item: 1, quantity: 3 }] }, "items[0]"],
      [{ amount: 1_180.01 }, "amount"],
      [{ amount: 1, items: [{ item: 1, quantity: 1 }] }, "amount"],
      [{ restock: true }, "restock"],
    ];
    for (const [fields, field] of wrong)
      expect(await sale.post({ ...cancellation, ...fields })).toMatchObject(wrongField(field));
    expect(await notesOf(shop, sale.orderId)).toEqual([]);
    expect((await postRefund(shop.company, { order_id: "99999" })).body).toMatchObject({
      errors: [{ field: "order_id", code: "not_found" }],
    });
  });

  test("twenty at once: one note, one refund at the gateway", async () => {
    const sale = await taxedSale();
    const before = (await ledgerOf(shop)).length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => sale.post(cancellation)));
    expect(tally(answers)).toEqual({ 201: 1, 422: 19 });
    expect((await ledgerOf(shop)).length - before).toBe(1);
    expect(await notesOf(shop, sale.orderId)).toHaveLength(1);
  });
});

describe("an order in review", () => {
  test("is cancelled when all of its money is back", async () => {
    const sale = await inReview();
    expect(await sale.read()).toMatchObject({ status: "draft", payment_status: "review" });
    await sale.refund({ amount: 50, reason: "other", reason_text: "Agreed" });
    expect(await sale.read()).toMatchObject({ payment_status: "review", refund_status: "partial" });
    await sale.refund();
    expect(await sale.read()).toMatchObject({
      ...{ status: "cancelled", payment_status: "unpaid", review_code: null, needs_refund: false },
      refund_status: "refunded",
    });
    await endLast(shop, "failed");
    expect(await sale.read()).toMatchObject({
      status: "cancelled",
      needs_refund: true,
      refund_status: "partial",
    });
    await sale.refund();
    expect(await sale.read()).toMatchObject({ needs_refund: false, refund_status: "refunded" });
  });

  test("counts as refunded once what staff did not give back by hand is back", async () => {
    const sale = await inReview();
    await sale.refund({ amount: 50, reason: "cancellation" });
    expect(await sale.read()).toMatchObject({ refund_status: "partial", refunded_amount: 50 });
    const byBank = { action: "dismiss", outside_reference: "NEFT 1", payment_mode_id: 2 };
    must(await resolve(shop, sale.orderId, byBank), 200);
    const ended = { needs_refund: false, refund_status: "refunded", refunded_amount: 50 };
    expect(await sale.read()).toMatchObject(ended);
    await endLast(shop, "failed");
    expect(await sale.read()).toMatchObject({ refund_status: "none", needs_refund: true });
    await sale.refund();
    expect(await sale.read()).toMatchObject(ended);
  });

  test("is resolved by a refund, for which the key needs its scope", async () => {
    const sale = await inReview({ items: [{ ...line, unit_price: 1_000 }], tax_amount: 450 }, "paid");
    expect(await sale.read()).toMatchObject({ review_code: "tax_amount_implausible" });
    const key = await shop.company.key("orders:write");
    const refused = await shop.company.call("POST", `/orders/:company/${sale.id}/resolve`, {
      key,
      body: { action: "refund" },
    });
    expect(refused).toMatchObject({ status: 403, body: { required_scope: "refunds:write" } });
    const headers = { "Idempotency-Key": `resolve-${sale.id}` };
    const answer = must(
      await resolve(shop, sale.orderId, { action: "refund", note: "Asked by mail" }, headers),
      200,
    ).body.data;
    expect(answer).toMatchObject({
      status: "cancelled",
      payment_status: "unpaid",
      refund_status: "refunded",
      refunded_amount: 1_450,
    });
    expect(
      must(await resolve(shop, sale.orderId, { action: "refund", note: "Asked by mail" }, headers), 200).body
        .data,
    ).toEqual(answer);
    expect((await resolve(shop, sale.orderId, { action: "refund" })).status).toBe(409);
    expect(await balancesOf(shop.company)).not.toHaveProperty("Customer Advances");
  });
});

test("an order gives back exactly the amount asked, however its tax rounds", async () => {
  const id = await taxedOrder(shop);
  const parts = [1.01, 33.33, 99.99, 7.77, 100, 60.16, 20, 20.01, 20.02, 1, 33.33, 333.33];
  for (const amount of parts)
    expect(
      await newRefund(shop.company, { order_id: String(id), amount, reason: "deficiency" }),
    ).toMatchObject({ amount });
  for (const { unapplied_amount } of await notesOf(shop, id)) expect(unapplied_amount).toBe(0);
  expect(await read(shop, id)).toMatchObject({ needs_refund: false });
  await newRefund(shop.company, { order_id: String(id), reason: "sales_return" });
  expect(await read(shop, id)).toMatchObject({ refund_status: "refunded", refunded_amount: 1_180 });
  const notes = await notesOf(shop, id);
  expect(notes.map(({ unapplied_amount: left }) => left)).toEqual(notes.map(() => 0));
  const sums = (name: string) => notes.reduce((sum, note) => sum + Number(note[name]), 0);
  expect([sums("taxable_total"), sums("tax_total"), sums("round_off")]).toEqual([100_000, 18_000, 0]);
  for (const { round_off } of notes) expect(Math.abs(Number(round_off))).toBeLessThanOrEqual(4);
});

test("an order whose tax may no longer be taken back gives back exactly the amount asked, by a commercial note, and no more than its value", async () => {
  const late = await openShop();
  const id = String(await taxedOrder(late));
  await late.company.clock(800 * 86_400);
  const back = { order_id: id, reason: "deficiency" };
  const refund = await newRefund(late.company, { ...back, amount: 100 });
  expect(refund).toMatchObject({ amount: 100 });
  expect(await getNote(late.company, String(refund.credit_note_id))).toMatchObject({
    ...{ with_tax: false, taxable_total: 100, tax_total: 0, round_off: 0, total_amount: 100 },
    credit_note_number: expect.stringMatching(/^CCRN\//),
  });
  expect(await postRefund(late.company, { ...back, amount: 900.01 })).toMatchObject(
    refusal(422, "credit_exceeds_invoice"),
  );
  expect(await newRefund(late.company, back)).toMatchObject({ amount: 900 });
  await expectSound(late.company);
});

test("an order that sold more than there was is resolved by a refund, and its goods return to stock", async () => {
  const { company } = shop;
  const product = await newProduct(company, {
    ...{ name: "Lamp", selling_price: 100, tax_rate: 0, track_stock: true, opening_stock: 1 },
  });
  const items = [{ ...line, product_id: Number(product.id) }];
  const placed = [await placeOrder(company, { items }), await placeOrder(company, { items })];
  for (const one of placed) await play(company, "razorpay", gatewayOrderOf(one), "paid");
  const id = placed[1]?.order_id ?? 0;
  expect(await read(shop, id)).toMatchObject({ review_code: "oversold" });
  expect(await stockOf(company, product.id)).toBe(-1);
  expect(await resolve(shop, id, { action: "dismiss", restock: true })).toMatchObject(
    wrongField("restock", "not_accepted"),
  );
  must(await resolve(shop, id, { action: "refund", restock: true }), 200);
  expect(await stockOf(company, product.id)).toBe(0);
  expect(await read(shop, id)).toMatchObject({ review_code: null, refund_status: "refunded" });
});
