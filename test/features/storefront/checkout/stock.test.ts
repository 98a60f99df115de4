import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { stockOf, tally } from "../../money.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import {
  deliver,
  getOrder,
  openShop,
  placeOrder,
  postCheckout,
  productLine,
  razorpayEvent,
} from "../shop.ts";

const shop = await openShop();

async function productWith(opening_stock: number) {
  const item = await productLine(shop.company, { track_stock: true, opening_stock });
  return { ...shop, product: { id: String(item.product_id) }, item };
}

test("a checkout of a product shown as out of stock, or of more than there is in all, is 422", async () => {
  const { company, product, item } = await productWith(2.5);
  const answer = await postCheckout(company, { items: [item, { ...item, quantity: 1.501 }] });
  expect(answer).toMatchObject(
    refusal(422, "insufficient_stock", { product_id: Number(product.id), available: 2.5 }),
  );
  expectRefused(answer, { "items[0].quantity": "insufficient_stock" });
  expect(await company.rows("SELECT id FROM sales_orders")).toEqual([]);
  await placeOrder(company, { items: [item, { ...item, quantity: 1.5 }] });
  const { item: gone } = await productWith(0);
  const none = await postCheckout(company, { items: [gone] });
  expect(none).toMatchObject(refusal(422, "insufficient_stock", { available: 0 }));
});

test("a company that lets stock fall below zero shows it in stock, sells it, and flags nothing", async () => {
  const { company, connected, product, item } = await productWith(0);
  await company.change("/settings/:company/profile", { allow_negative_stock: true });
  const shown = must(await company.call("GET", `/storefront/:company/products/${product.id}`), 200).body.data;
  expect(shown).toMatchObject({ in_stock: true, available_quantity: 0 });
  must(await deliver(company, connected, razorpayEvent(await placeOrder(company, { items: [item] }))), 200);
  expect(await stockOf(company, product.id)).toBe(-1);
  await company.change("/settings/:company/profile", { allow_negative_stock: false });
  expect(
    await company.rows("SELECT oversold, review_code FROM sales_orders ORDER BY id DESC LIMIT 1"),
  ).toEqual([{ oversold: 0, review_code: null }]);
});

test("of 20 shoppers who pay for one piece one order is clean and 19 are flagged; the next checkout is refused", async () => {
  const { company, connected, product, item } = await productWith(1);
  const placed = await Promise.all(Array.from({ length: 20 }, () => placeOrder(company, { items: [item] })));
  const paid = await Promise.all(placed.map((one) => deliver(company, connected, razorpayEvent(one))));
  expect(tally(paid)).toEqual({ 200: 20 });
  expect(await stockOf(company, product.id)).toBe(-19);
  const flags =
    "SELECT oversold, review_code, status, count(*) AS n FROM sales_orders WHERE id >= ? GROUP BY 1, 2, 3 ORDER BY 1";
  const first = Math.min(...placed.map(({ order_id: id }) => id));
  expect(await company.rows(flags, first)).toEqual([
    { oversold: 0, review_code: null, status: "invoiced", n: 1 },
    { oversold: 1, review_code: "oversold", status: "invoiced", n: 19 },
  ]);
  expect((await postCheckout(company, { items: [item] })).status).toBe(422);
  await expectSound(company);
});

test.each([
  [3_54, 354, null],
  [355, 355, "overcaptured"],
  [10_00, 1_000, "overcaptured"],
])(
  "of a surplus of %s paise on 100.00 is noted, and flagged above a gateway's fee",
  async (surplus, noted, code) => {
    const { company, connected } = shop;
    const flags = "SELECT status, overcaptured_amount, review_code FROM sales_orders WHERE id = ?";
    const placed = await placeOrder(company);
    const payment = { id: `pay_of_${placed.order_id}`, amount: 100_00 + surplus };
    // The payment's own event says more than that of the order.
    for (const type of ["order.paid", "payment.captured", "payment.captured"])
      must(await deliver(company, connected, razorpayEvent(placed, { type, payment })), 200);
    const flagged = [{ status: "invoiced", overcaptured_amount: noted, review_code: code }];
    expect(await company.rows(flags, placed.order_id)).toEqual(flagged);
    expect(await getOrder(company, placed.order_id)).toMatchObject({ status: "invoiced", total_amount: 100 });
    await expectSound(company);
  },
);
