import { expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer, newInvoice, refusedFields } from "../../commerce.ts";
import type { Shop } from "../orders/review.ts";
import { bought, openShop, placeOrder, postCheckout, shopper } from "../shop.ts";

const buy = (shop: Shop, customer: object, fields: object = {}) => bought(shop, { customer, ...fields });

// The shoppers of each test have addresses and numbers of their own.
const shop = await openShop();

const KNOWN = {
  name: "Nair Exports Pvt Ltd",
  address: "221 Residency Road",
  city: "Mysuru",
  pincode: "570001",
};

test.each([
  [
    "e-mail",
    { gstin: "29AABCN1001E1Z5", email: "exports@example.com" },
    { ...shopper, email: "exports@example.com", phone: null },
  ],
  [
    "phone",
    { gstin: "29AABCN1002E1Z4", phone: shopper.phone },
    { ...shopper, email: "somebody@example.com" },
  ],
])(
  "a stranger who types a customer's %s is invoiced as themselves and learns nothing of it",
  async (_by, known, sent) => {
    const customer = await newCustomer(shop.company, { ...KNOWN, ...known });
    const { invoice, order, page } = await buy(shop, { ...sent, name: "Arun Das", city: "Hubli" });
    expect(invoice.customer_id).toBe(customer.id);
    expect(invoice.customer).toMatchObject({
      id: customer.id,
      name: "Arun Das",
      gstin: null,
      email: sent.email,
    });
    expect(invoice.customer.billing_address).toMatchObject({
      address: null,
      city: "Hubli",
      pincode: "560001",
    });
    expect(page.text).toContain("Arun Das");
    for (const secret of [KNOWN.name, KNOWN.address, known.gstin.slice(2), KNOWN.city, KNOWN.pincode])
      for (const seen of [
        JSON.stringify(order),
        JSON.stringify(invoice.customer),
        page.text.replace(/GSTIN 29\w+/, ""),
      ])
        expect(seen).not.toContain(secret);
    const after = await shop.company.read(`/customers/:company/${customer.id}`);
    expect(after).toMatchObject({ ...KNOWN, ...known, updated_at: customer.updated_at });
    await expectSound(shop.company);
  },
);

test("an invoice of an order names the buyer's own GSTIN, company and delivery address, and the tax follows them", async () => {
  const buyer = { email: "das@example.com", phone: null };
  const { invoice, order, page } = await buy(shop, {
    ...shopper,
    ...buyer,
    gstin: " 27aapfu0939f1zv ",
    state: "Maharashtra",
    company_name: "Das & Sons",
    shipping_address: { name: "Store 4", city: "Panaji", state: "GA", pincode: "403001" },
  });
  expect(invoice).toMatchObject({ supply_type: "inter", place_of_supply: { code: "27" } });
  expect(invoice.customer).toMatchObject({
    gstin: "27AAPFU0939F1ZV",
    company_name: "Das & Sons",
    gst_category: "regular",
    shipping_address: { name: "Store 4", city: "Panaji", state: "Goa", state_code: "30", address: null },
  });
  expect(order.customer).toMatchObject({ gstin: "27AAPFU0939F1ZV", shipping_address: { state: "GA" } });
  for (const shown of ["27AAPFU0939F1ZV", "Das &amp; Sons", "Deliver to", "Store 4", "Goa (30)"])
    expect(page.text).toContain(shown);
  // A new customer takes it all.
  expect(
    await shop.company.rows(
      "SELECT gstin, gst_category, pan, company_name FROM customers WHERE email = ?",
      buyer.email,
    ),
  ).toEqual([
    { gstin: "27AAPFU0939F1ZV", gst_category: "regular", pan: "AAPFU0939F", company_name: "Das & Sons" },
  ]);
  await expectSound(shop.company);
});

test.each([
  ["another person are taxed in the state of its GSTIN", "Store 4", "27AAPFU0941F1Z1", "27", undefined],
  [
    "the buyer itself are taxed where they go, with a warning",
    null,
    "27AAPFU0942F1Z0",
    "30",
    ["place_of_supply_not_of_gstin"],
  ],
])("at both doors goods of a GSTIN's holder delivered to %s", async (_to, name, gstin, code, warnings) => {
  const buyer = { gstin, state: "Maharashtra", pincode: "400001", city: "Mumbai" };
  const shipping_address = { name, phone: "832 222 3333", city: "Panaji", state: "Goa", pincode: "403001" };
  const customer = await newCustomer(shop.company, { ...buyer, shipping_address });
  const byApi = await newInvoice(shop.company, customer.id);
  expect(byApi.warnings).toEqual(warnings);

  const sent = { ...shopper, ...buyer, email: `to.${code}@example.com`, phone: null, shipping_address };
  const placed = await placeOrder(shop.company, { customer: sent });
  expect(placed.warnings).toEqual(warnings);
  const { invoice } = await buy(shop, sent);
  for (const each of [byApi, invoice])
    expect(each).toMatchObject({
      place_of_supply: { code },
      customer: { shipping_address: { ...shipping_address, state_code: "30" } },
    });
  const kept = await shop.company.rows(
    "SELECT shipping_address ->> '$.name' AS name FROM customers WHERE email = ?",
    sent.email,
  );
  expect(kept).toEqual([{ name }]);
});

test("a GSTIN that another customer has is not revealed: the new customer is made without it", async () => {
  await newCustomer(shop.company, { name: "First", gstin: "29AABCR1718E1ZL" });
  const { invoice } = await buy(shop, {
    name: "Second",
    email: "second@example.com",
    gstin: "29AABCR1718E1ZL",
  });
  expect(invoice.customer.gstin).toBe("29AABCR1718E1ZL");
  expect(
    await shop.company.rows("SELECT gstin, gst_category, pan FROM customers WHERE name = 'Second'"),
  ).toEqual([{ gstin: null, gst_category: "unregistered", pan: null }]);
});

test.each([
  ["none", { gstin: "29AABCR1718E1ZZ" }, "invalid_gstin"],
  ["of another state", { gstin: "29AABCR1718E1ZL", state: "Kerala" }, "gstin_state_mismatch"],
  ["of a buyer abroad", { gstin: "29AABCR1718E1ZL", state: "Texas", country: "USA" }, "invalid_gstin"],
])("a GSTIN that is %s is 422", async (_what, fields, code) => {
  const answer = await postCheckout(shop.company, { customer: { ...shopper, ...fields } });
  expect(answer).toMatchObject({ status: 422, body: { code } });
  expect(refusedFields(answer)).toEqual({ "customer.gstin": code });
});

test.each([
  ["IN-KA", null, "intra", "IN", null, "Karnataka (29)"],
  ["india", "Kerala", "inter", "IN", null, "Kerala (32)"],
  ["DEU", "Bayern", "export", "DE", null, "Germany"],
  ["Xyz", "Karnataka", "intra", "IN", "Xyz", "Xyz"],
  [null, null, "intra", "IN", null, "GSTIN/UIN"],
])(
  "country %s with state %s is %s, and the page shows it",
  async (country, state, supply, code, text, shown) => {
    const stranger = { name: "Meera Nair", email: `${country}.${state}@example.com`.replaceAll(" ", "") };
    const { invoice, page } = await buy(shop, { ...shopper, ...stranger, phone: null, country, state });
    expect(invoice.supply_type).toBe(supply);
    expect(invoice.customer.billing_address).toMatchObject({ country: code, country_text: text });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining(shown) });
  },
);
