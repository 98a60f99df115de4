import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { connectGateway, gatewayFaults } from "../../support/gateways.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { newCustomer, refusedFields, rowsOf } from "../commerce.ts";
import { newProduct, stockOf, tally } from "../money.ts";
import { getOrder, openShop, placeOrder, postCheckout, shopper } from "./shop.ts";

const line = { name: "Gift card", quantity: 1, unit_price: 100 };

test("a catalogue line takes the catalogue's name and price, whatever the client says", async () => {
  const { company } = await openShop();
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
  expect(placed).toEqual({
    success: true,
    order_id: 1,
    order_number: expect.stringMatching(/^SO\/\d\d-\d\d\/00001$/),
    total_amount: 246,
    currency: "INR",
    gateway: "razorpay",
    payment_data: expect.objectContaining({ amount: 24_600, currency: "INR", key_id: expect.any(String) }),
  });
  expect(await getOrder(company, placed.order_id)).toEqual({
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
  const { company } = await openShop();
  const items = [
    { ...line, quantity: 2.5, unit_price: 33.33 },
    { ...line, quantity: 0.001, unit_price: 1005 },
  ];
  expect((await placeOrder(company, { items })).total_amount).toBe(84.34);
});

describe.concurrent.each([
  ["no line", { items: [] }, { items: "too_small" }],
  ["51 lines", { items: Array(51).fill(line) }, { items: "too_big" }],
  ["a quantity of 0", { items: [{ ...line, quantity: 0 }] }, { "items[0].quantity": "too_small" }],
  ["a quantity of 100,000", { items: [{ ...line, quantity: 100_000 }] }, { "items[0].quantity": "too_big" }],
  ["a price of 0", { items: [{ ...line, unit_price: 0 }] }, { "items[0].unit_price": "too_small" }],
  [
    "a price of 5 decimals",
    { items: [{ ...line, unit_price: 1.00001 }] },
    { "items[0].unit_price": "invalid_precision" },
  ],
  ["an unknown product", { items: [{ ...line, product_id: 99 }] }, { "items[0].product_id": "not_found" }],
  [
    "a price of 100,000,000",
    { items: [{ ...line, unit_price: 100_000_000 }] },
    { "items[0].unit_price": "too_big" },
  ],
  ["a name of 256", { items: [{ ...line, name: "n".repeat(256) }] }, { "items[0].name": "too_big" }],
  ["no name of the line", { items: [{ ...line, name: " " }] }, { "items[0].name": "too_small" }],
  ["a website of 256", { source_website: "w".repeat(256) }, { source_website: "too_big" }],
  ["a long address", { return_url: `https://a.example/${"a".repeat(483)}` }, { return_url: "too_big" }],
  ["metadata that is a list", { metadata: ["a"] }, { metadata: "invalid_type" }],
  ["metadata of more than 4 KiB", { metadata: { a: "é".repeat(2_045) } }, { metadata: "too_big" }],
  ["no e-mail address", { customer: { name: "M" } }, { "customer.email": "required" }],
  [
    "a broken e-mail address",
    { customer: { ...shopper, email: "x@" } },
    { "customer.email": "invalid_format" },
  ],
  ["a long country", { customer: { ...shopper, country: "Bharat" } }, { "customer.country": "too_big" }],
  ["an unknown currency", { currency: "JPY" }, { currency: "invalid_value" }],
  ["no website", { source_website: "" }, { source_website: "too_small" }],
  [
    "a control character in a return address",
    { return_url: "https://a.example/\u0001x" },
    { return_url: "invalid" },
  ],
  ["a user in a return address", { cancel_url: "https://a.example@b.example/" }, { cancel_url: "invalid" }],
  ["a script as return address", { return_url: "javascript:alert(1)" }, { return_url: "invalid_format" }],
  ["a path as cancel address", { cancel_url: "/basket" }, { cancel_url: "invalid_format" }],
  ["a negative tax", { tax_amount: -1 }, { tax_amount: "too_small" }],
  ["a shipping of 3 decimals", { shipping_amount: 1.005 }, { shipping_amount: "invalid_precision" }],
  [
    "an order that costs nothing",
    { items: [{ ...line, quantity: 0.001, unit_price: 0.01 }] },
    { items: "too_small" },
  ],
  [
    "a total beyond all bounds",
    { items: Array(3).fill({ ...line, quantity: 99_999, unit_price: 99_999 }) },
    { items: "too_big" },
  ],
])("%s", (_what, fields, refused) => {
  test("is 422 and names its field; nothing is stored", async () => {
    const { company } = await openShop();
    const before = await rowCounts(company);
    const answer = await postCheckout(company, fields);
    expect(answer.status, answer.text).toBe(422);
    expect(refusedFields(answer)).toEqual(refused);
    expect(await rowCounts(company)).toEqual(before);
  });
});

test("whatever is at its limit is taken", async () => {
  const { company } = await openShop();
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
  const { company } = await openShop();
  const metadata = { cart: 17, tags: ["a", null], nested: { ключ: "\u2028 <b>" }, "": false };
  await placeOrder(company, { metadata });
  const [{ kept } = {}] = await rowsOf(company, "SELECT metadata AS kept FROM sales_orders");
  expect(JSON.parse(String(kept))).toEqual(metadata);
});

test("a hidden or inactive product, and a currency that is not the catalogue's, are 422", async () => {
  const { company } = await openShop();
  const hidden = await newProduct(company, { is_storefront_visible: false });
  const inactive = await newProduct(company, { name: "Old", status: "inactive" });
  const shown = await newProduct(company);
  const withProduct = (id: string, fields = {}) =>
    postCheckout(company, { items: [{ ...line, product_id: Number(id) }], ...fields });
  for (const { id } of [hidden, inactive])
    expect(refusedFields(await withProduct(id))).toEqual({ "items[0].product_id": "not_found" });
  expect(await withProduct(shown.id, { currency: "USD" })).toMatchObject({
    status: 422,
    body: { code: "currency_not_supported" },
  });
});

test("where no gateway is active for the currency it is 400 payment_gateway_unavailable, and nothing is stored", async () => {
  const { company, connected } = await openShop("razorpay", { currencies: ["INR"] });
  const before = await rowCounts(company);
  expect(await postCheckout(company, { currency: "USD" })).toMatchObject({
    status: 400,
    body: { code: "payment_gateway_unavailable" },
  });
  must(
    await company.call("PATCH", `/settings/:company/payment-gateways/${connected.id}`, {
      body: { is_active: false },
    }),
    200,
  );
  expect((await postCheckout(company)).status).toBe(400);
  expect(await rowCounts(company)).toMatchObject({ sales_orders: 0, customers: before.customers });
});

test("of several gateways for a currency the one of the lowest priority is used", async () => {
  const company = await openCompany();
  await connectGateway(company, "razorpay", { priority: 20 });
  await connectGateway(company, "stripe", { priority: 10, currencies: ["INR"] });
  await connectGateway(company, "paypal", { priority: 1 });
  expect((await placeOrder(company)).gateway).toBe("stripe");
  expect((await placeOrder(company, { currency: "USD" })).gateway).toBe("paypal");
  expect((await placeOrder(company, { currency: "MYR" })).gateway).toBe("razorpay");
});

test.each([
  { kind: "razorpay" as const, currency: "INR" },
  { kind: "stripe" as const, currency: "INR" },
  { kind: "paypal" as const, currency: "USD" },
])(
  "a $kind that does not answer is 400 payment_gateway_error, and the order is cancelled",
  async ({ kind, currency }) => {
    const { company, connected } = await openShop(kind);
    await gatewayFaults(company, connected, { refused_call: 1 });
    const answer = await postCheckout(company, { currency });
    expect(answer).toMatchObject({ status: 400, body: { code: "payment_gateway_error" } });
    expect(answer.text).not.toContain(connected.merchant.secret);
    expect(await rowsOf(company, "SELECT status FROM sales_orders")).toEqual([{ status: "cancelled" }]);
    expect(await rowsOf(company, "SELECT status FROM payment_intents")).toEqual([{ status: "failed" }]);
    await expectSound(company);
  },
);

test("the Idempotency-Key is ignored: a retry creates a second order", async () => {
  const { company } = await openShop();
  const headers = { "Idempotency-Key": randomUUID() };
  const answers = [await postCheckout(company, {}, headers), await postCheckout(company, {}, headers)];
  expect(answers.map(({ body }) => body.order_id)).toEqual([1, 2]);
  expect(answers[1]?.headers.get("Idempotent-Replayed")).toBeNull();
  expect((await postCheckout(company, {}, { "Idempotency-Key": "x".repeat(300) })).status).toBe(200);
});

describe("the customer of an order", () => {
  const customers = async (company: Awaited<ReturnType<typeof openShop>>["company"]) =>
    rowsOf(company, "SELECT customer_id FROM sales_orders ORDER BY id");

  test("is matched by e-mail, in any case and spaces aside, before the phone", async () => {
    const { company } = await openShop();
    const byPhone = await newCustomer(company, { email: "other@example.com", phone: "9847012345" });
    const byEmail = await newCustomer(company, { email: "Meera@Example.com" });
    await placeOrder(company, { customer: { ...shopper, email: " MEERA@example.com " } });
    await placeOrder(company, { customer: { ...shopper, email: "new@example.com" } });
    expect(await customers(company)).toEqual([
      { customer_id: Number(byEmail.id) },
      { customer_id: Number(byPhone.id) },
    ]);
  });

  test.each(["9847012345", "09847012345", "+91 98470-12345"])(
    "is matched by the last 9 digits of %s",
    async (phone) => {
      const { company } = await openShop();
      const known = await newCustomer(company, { phone: "+91 98470 12345" });
      await placeOrder(company, { customer: { ...shopper, email: "x@example.com", phone } });
      expect(await customers(company)).toEqual([{ customer_id: Number(known.id) }]);
    },
  );

  test("is not matched by a phone of 8 digits", async () => {
    const { company } = await openShop();
    const known = await newCustomer(company, { phone: "70123456" });
    await placeOrder(company, { customer: { ...shopper, email: "x@example.com", phone: "70123456" } });
    expect(await customers(company)).not.toEqual([{ customer_id: Number(known.id) }]);
  });

  test("is never written to when matched, not even its empty fields, and nothing of it is echoed", async () => {
    const { company } = await openShop();
    const known = await newCustomer(company, { email: shopper.email, name: "Private Ltd" });
    const placed = await postCheckout(company);
    expect(placed.text).not.toContain("Private Ltd");
    const order = await getOrder(company, placed.body.order_id);
    expect(order.customer).toMatchObject(shopper);
    const after = must(await company.call("GET", `/customers/:company/${known.id}`), 200).body.data;
    expect(after).toMatchObject({ phone: null, name: "Private Ltd", updated_at: known.updated_at });
  });

  test("is created with its debtor account when new, without a state or pincode if need be", async () => {
    const { company } = await openShop();
    await placeOrder(company, { customer: { name: "Arun", email: "arun@example.com" } });
    await placeOrder(company, {
      customer: { name: "Uma", email: "uma@example.com", country: "india", state: "KA" },
    });
    expect(
      await rowsOf(company, "SELECT name, state, state_code, pincode, country, created_via FROM customers"),
    ).toEqual([
      { name: "Arun", state: "", state_code: null, pincode: "", country: "IN", created_via: "storefront" },
      {
        name: "Uma",
        state: "Karnataka",
        state_code: "29",
        pincode: "",
        country: "IN",
        created_via: "storefront",
      },
    ]);
    await expectSound(company);
  });

  test("is one, when two checkouts of a new address run in parallel", async () => {
    const { company } = await openShop();
    const answers = await Promise.all(Array.from({ length: 10 }, () => postCheckout(company)));
    expect(tally(answers)).toEqual({ 200: 10 });
    expect(await rowsOf(company, "SELECT count(*) AS n FROM customers")).toEqual([{ n: 1 }]);
    expect(await rowsOf(company, "SELECT count(DISTINCT order_number) AS n FROM sales_orders")).toEqual([
      { n: 10 },
    ]);
    await expectSound(company);
  });

  test("stays while its order awaits payment", async () => {
    const { company } = await openShop();
    await placeOrder(company);
    const answer = await company.call("DELETE", "/customers/:company/1");
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "customer_has_dependents", blocked_by: ["orders"] },
    });
  });
});

test("an order that was not made through checkout, or is no number, is 404", async () => {
  const { company } = await openShop();
  for (const id of ["1", "x", "1.0", "0"])
    expect((await company.call("GET", `/storefront/:company/order/${id}`)).status).toBe(404);
});
