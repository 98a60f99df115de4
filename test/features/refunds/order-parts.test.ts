import { afterAll, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { newProduct, stockOf } from "../money.ts";
import { wrongField } from "../refusal.ts";
import { read, resolve } from "../storefront/orders/review.ts";
import { gatewayOrderOf, line, openShop, placeOrder } from "../storefront/shop.ts";
import { newRefund, notesOf, taxedOrder } from "./refunds.ts";

const shop = await openShop();
afterAll(() => expectSound(shop.company));

test("gives back exactly the amount asked, however its tax rounds", async () => {
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

test("that sold more than there was is resolved by a refund, and its goods return to stock", async () => {
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
