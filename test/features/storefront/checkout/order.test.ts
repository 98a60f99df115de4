import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { rowCounts } from "../../../support/oracles.ts";
import { newProduct, stockOf } from "../../money.ts";
import { getOrder, line, openShop, placeOrder, postCheckout, shopper } from "../shop.ts";

const { company } = await openShop();

test("a catalogue line takes the catalogue's name and price, whatever the client says", async () => {
  const product = await newProduct(company, {
    selling_price: 100,
    tax_rate: 18,
    track_stock: true,
    opening_stock: 2,
  });
  const placed = await placeOrder(company, {
    items: [{ name: "Cheap", quantity: 2, unit_price: 1, product_id: Number(product.id) }],
    tax_amount: 36,
    shipping_amount: 10,
  });
  const { key_id: key, gateway_order_id } = placed.payment_data as Record<string, string>;
  expect(placed).toEqual({
    success: true,
    order_id: 1,
    order_number: expect.stringMatching(/^SO\/\d\d-\d\d\/00001$/),
    total_amount: 246,
    currency: "INR",
    gateway: "razorpay",
    payment_data: expect.objectContaining({ amount: 24_600, currency: "INR", key_id: expect.any(String) }),
    next_action: {
      type: "razorpay_checkout",
      script: `${company.gatewaysUrl}/razorpay/v1/checkout.js`,
      options: expect.objectContaining({ key, order_id: gateway_order_id, amount: 24_600, currency: "INR" }),
    },
    warnings: ["unit_price_of_catalogue"],
  });
  expect(await getOrder(company, placed.order_id)).toEqual({
    external_id: null,
    order_id: 1,
    order_number: placed.order_number,
    status: "draft",
    payment_status: "unpaid",
    needs_refund: false,
    packages: [],
    packages_missing: false,
    total_amount: 246,
    currency: "INR",
    gateway: "razorpay",
    items: [
      { product_id: Number(product.id), name: "Steel bottle", quantity: 2, unit_price: 100, total: 200 },
    ],
    tax_amount: 36,
    shipping_amount: 10,
    customer: {
      ...shopper,
      company_name: null,
      gstin: null,
      address: null,
      city: null,
      shipping_address: null,
    },
    source_website: "shop.example.com",
    invoice_id: null,
    invoice_number: null,
    invoice_url: null,
    notes: null,
    metadata: {},
    created_at: expect.any(String),
    paid_at: null,
  });
  // No invoice, no journal entry, no stock change.
  expect(await rowCounts(company)).toMatchObject({ invoices: 0, journal_entries: 0 });
  expect(await stockOf(company, product.id)).toBe(2);
});

test("the price of a line without a product is honoured, to the paisa", async () => {
  const items = [
    { ...line, quantity: 2.5, unit_price: 33.33 },
    { ...line, quantity: 0.001, unit_price: 1005 },
  ];
  expect((await placeOrder(company, { items })).total_amount).toBe(84.34);
});

test("whatever is at its limit is taken", async () => {
  const least = { name: "n".repeat(255), quantity: 0.001, unit_price: 99_999_999, product_id: null };
  const items = [least, ...Array(49).fill({ ...line, quantity: 99_999, unit_price: 0.01 })];
  const metadata = { a: "é".repeat(2_044) };
  const placed = await placeOrder(company, {
    items,
    metadata,
    source_website: "w".repeat(255),
    return_url: `https://a.example/${"a".repeat(482)}`,
    customer: { ...shopper, name: "n".repeat(255), country: "INDIA", phone: null, city: "" },
  });
  expect(placed.total_amount).toBe(100_000 + 49 * 999.99);
});

test("the metadata of an order is any object of the shop's own, kept as sent", async () => {
  const metadata = { cart: 17, tags: ["a", null], nested: { ключ: "\u2028 <b>" }, "": false };
  await placeOrder(company, { metadata });
  const [{ kept } = {}] = await company.rows(
    "SELECT metadata AS kept FROM sales_orders ORDER BY id DESC LIMIT 1",
  );
  expect(JSON.parse(String(kept))).toEqual(metadata);
});

test("the Idempotency-Key is ignored: a retry creates a second order", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  const answers = [await postCheckout(company, {}, headers), await postCheckout(company, {}, headers)];
  const [first = 0, second] = answers.map(({ body }) => body.order_id);
  expect(second).toBe(first + 1);
  expect(answers[1]?.headers.get("Idempotent-Replayed")).toBeNull();
  expect((await postCheckout(company, {}, { "Idempotency-Key": "x".repeat(300) })).status).toBe(200);
});

test("an order that was not made through checkout, or is no number, is 404", async () => {
  for (const id of ["999999", "x", "1.0", "0"])
    expect((await company.call("GET", `/storefront/:company/order/${id}`)).status).toBe(404);
});
