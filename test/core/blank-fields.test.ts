import { expect, test } from "vitest";
import { newCustomer, newInvoice, patchCustomer, postCustomer, postInvoice } from "../features/commerce.ts";
import { newProduct } from "../features/money.ts";
import { expectRefused, wrongField } from "../features/refusal.ts";
import { book, daysAhead, openSchool } from "../features/school.ts";
import { openShop, postCheckout } from "../features/storefront/shop.ts";

// What forms and sheets send for a field that was left empty.
const { company } = await openShop();

test("counts as not sent where a record is made", async () => {
  const customer = await newCustomer(company, {
    ...{ email: "", pan: "", gst_category: " ", currency: "", payment_terms_days: "", language: "" },
    ...{ country: "\u200b", shipping_address: { name: "Asha", country: "" } },
  });
  const defaults = { email: null, pan: null, gst_category: "unregistered", currency: "INR", language: null };
  expect(customer).toMatchObject({ ...defaults, country: "IN", shipping_address: { country: null } });
  const blank = { sku: "", category_id: "", mrp: "", purchase_price: "", hsn_sac_code: "", status: "" };
  const empty = { sku: null, category: null, mrp: null, purchase_price: null, hsn_sac_code: null };
  expect(await newProduct(company, blank)).toMatchObject({ ...empty, status: "active" });
  await company.make("/settings/:company/locations", { name: "Hub", type: "hub", latitude: "" });
});

test("counts as not sent at a checkout, in a booking and as an invoice is sent", async () => {
  const placed = await postCheckout(company, { shipping_amount: "", tax_amount: "" });
  expect(placed).toMatchObject({ status: 200, body: { total_amount: 100 } });
  const school = await openSchool();
  const student = { name: "Mia Chen", email: "mia@example.com", phone: "" };
  const wish = { booking_date: daysAhead(7), start_time: "10:00", end_time: "", service_location_id: "" };
  expect(await book(school, { ...wish, customer: student })).toMatchObject({ status: 201 });
  const { id } = await newInvoice(company, (await newCustomer(company, { email: "asha@home.example" })).id);
  const sent = await company.call("POST", `/invoices/:company/${id}/send`, {
    body: { email: "", send_at: "" },
  });
  expect(sent).toMatchObject({ status: 202, body: { data: { to: ["asha@home.example"] } } });
});

test("empties the field that a change names", async () => {
  const { id } = await newCustomer(company, { email: "meera@home.example", language: "hi" });
  const changed = await patchCustomer(company, id, { email: "", language: " " });
  expect(changed).toMatchObject({ status: 200, body: { data: { email: null, language: null } } });
});

test("is refused where there must be a value, beside what else is wrong", async () => {
  expectRefused(await postCustomer(company, { name: " ", email: "", currency: "rupees" }), {
    name: "too_small",
    currency: "invalid_format",
  });
  const { id } = await newCustomer(company);
  expectRefused(await patchCustomer(company, id, { currency: "" }), { currency: "invalid_format" });
});

test("is refused where money or a right hangs on it", async () => {
  const { id } = await newCustomer(company);
  expectRefused(await postInvoice(company, id, { due_date: "" }), { due_date: "invalid_date" });
  const key = { name: "Till", type: "secret", scopes: ["invoices:read"], expires_at: "" };
  for (const [path, body, field] of [
    ["/refunds/:company", { order_id: 1, amount: "", reason: "other" }, "amount"],
    ["/settings/:company/keys", key, "expires_at"],
  ] as const)
    expect(await company.call("POST", path, { body })).toMatchObject(wrongField(field));
  const books = await company.call("PATCH", "/settings/:company/books", { body: { locked_through: "" } });
  expectRefused(books, { locked_through: "invalid_date" });
});
