import { expect, test } from "vitest";
import { rowCounts } from "../../../support/oracles.ts";
import { newProduct } from "../../money.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { line, openShop, postCheckout, shopper } from "../shop.ts";

const { company } = await openShop();

test.each([
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
  [
    "a misspelt state of India, whose tax would be that of the seller's state",
    { customer: { ...shopper, state: "Tamilnad" } },
    { "customer.state": "invalid_state" },
  ],
  [
    "a misspelt state to deliver to",
    { customer: { ...shopper, shipping_address: { state: "Keralla" } } },
    { "customer.shipping_address.state": "invalid_state" },
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
])("%s is 422 and names its field; nothing is stored", async (_what, fields, refused) => {
  const before = await rowCounts(company);
  const answer = await postCheckout(company, fields);
  expectRefused(answer, refused);
  expect(await rowCounts(company)).toEqual(before);
});

test("a hidden or inactive product, and a currency that is not the catalogue's, are 422", async () => {
  const hidden = await newProduct(company, { is_storefront_visible: false });
  const inactive = await newProduct(company, { name: "Old", status: "inactive" });
  const shown = await newProduct(company);
  const withProduct = (id: string, fields = {}) =>
    postCheckout(company, { items: [{ ...line, product_id: Number(id) }], ...fields });
  for (const { id } of [hidden, inactive])
    expectRefused(await withProduct(id), { "items[0].product_id": "not_found" });
  expect(await withProduct(shown.id, { currency: "USD" })).toMatchObject(
    refusal(422, "currency_not_supported"),
  );
});
