import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { getCustomer, getInvoice, line, listInvoices, newCustomer, newInvoice } from "../../commerce.ts";
import { newProduct, refund, voidInvoice } from "../../money.ts";
import { deliver, getOrder, openShop, placeOrder, razorpayEvent } from "../../storefront/shop.ts";
import { pagePath, visit } from "./hosted.ts";

const shop = await openShop();
const { company } = shop;

test("every invoice record has the address of its page, in lists, reads, the answer and its replay; a voided one none", async () => {
  const customer = await newCustomer(company);
  const body = { customer_id: customer.id, items: [line] };
  const headers = { "Idempotency-Key": randomUUID() };
  const post = () =>
    company.call<{ id: string; hosted_url: string }>("POST", "/invoices/:company", { body, headers });
  const made = must(await post(), 201).body.data;
  const expected = `${company.url}${await pagePath(company, made.id)}`;
  expect(made.hosted_url).toBe(expected);
  const [listed] = await listInvoices(company);
  expect([
    listed?.hosted_url,
    (await getInvoice(company, made.id)).hosted_url,
    must(await post(), 201).body.data.hosted_url,
  ]).toEqual([expected, expected, expected]);
  must(await visit(new URL(expected).pathname), 200);
  must(await voidInvoice(company, made.id), 200);
  expect((await getInvoice(company, made.id)).hosted_url).toBeNull();
});

test("a supply to a special economic zone bears its endorsement", async () => {
  const zone = await newCustomer(company, { gstin: "29AAACS8577K1ZL", gst_category: "sez" });
  const words = "Supply to SEZ unit or SEZ developer for authorised operations";
  for (const [tax_rate, form, rated] of [
    [18, "on payment of integrated tax", "with_payment"],
    [0, "under bond or letter of undertaking without payment of integrated tax", "without_payment"],
  ] as const) {
    const invoice = await newInvoice(company, zone.id, { items: [{ ...line, tax_rate }] });
    expect(invoice).toMatchObject({ zero_rated: rated, supply_type: "inter" });
    expect((await visit(await pagePath(company, invoice.id))).text).toContain(`${words} ${form}`);
  }
  const other = await newInvoice(company, (await newCustomer(company)).id);
  expect(other.zero_rated).toBeNull();
  expect((await visit(await pagePath(company, other.id))).text).not.toContain("SEZ");
});

test("the page names the delivery address where it differs, and to the unregistered from 50,000 rupees on", async () => {
  const page = async (customerId: string, unit_price: number) => {
    const { id } = await newInvoice(company, customerId, { items: [{ ...line, quantity: 1, unit_price }] });
    return (await visit(await pagePath(company, id))).text;
  };
  const plain = await newCustomer(company);
  expect(await page(plain.id, 49_999.99)).not.toContain("Deliver to");
  expect(await page(plain.id, 50_000)).toMatch(/Deliver to.*Karnataka \(29\)/);
  const registered = await newCustomer(company, { gstin: "29AABCR1718E1ZL" });
  expect(await page(registered.id, 50_000)).not.toContain("Deliver to");
  const away = await newCustomer(company, {
    shipping_address: { city: "Panaji", state: "Goa", pincode: "403001" },
  });
  expect(await page(away.id, 10)).toMatch(/Deliver to.*Panaji 403001.*Goa \(30\)/);
  const same = await newCustomer(company, {
    city: "Hubli",
    shipping_address: { city: "hubli", state: "Karnataka" },
  });
  expect(await page(same.id, 10)).not.toContain("Deliver to");
});

test("an invoice in dollars is worded and grouped so, and its refund changes nothing that is due in rupees", async () => {
  const customer = { name: "John Doe", email: "john@example.com", country: "US" };
  const items = [{ name: "Gift card", quantity: 1, unit_price: 1_234_567.25 }];
  const placed = await placeOrder(company, { currency: "USD", customer, items });
  must(await deliver(company, shop.connected, razorpayEvent(placed)), 200);
  const order = await getOrder(company, placed.order_id);
  const { text } = await visit(new URL(String(order.invoice_url)).pathname);
  expect(text).toContain(
    "US Dollars One Million Two Hundred Thirty-Four Thousand Five Hundred Sixty-Seven and Twenty-Five Cents Only",
  );
  expect(text).toContain("1,234,567.25");
  expect(text).not.toMatch(/Rupees|12,34,567/);

  const invoice = await getInvoice(company, String(order.invoice_id));
  await newInvoice(company, invoice.customer_id);
  const [payment] = must(await company.call<{ id: string }[]>("GET", "/payments/:company"), 200).body.data;
  must(await refund(company, String(payment?.id)), 200);
  const due = (await getInvoice(company, invoice.id)).amount_due;
  expect(due).toBe(1_234_567.25);
  expect((await getCustomer(company, invoice.customer_id)).body.data).toMatchObject({
    outstanding_amount: 354,
    balances: [
      { currency: "INR", outstanding_amount: 354, credit_balance: 0, net_balance: 354 },
      { currency: "USD", outstanding_amount: due, credit_balance: 0, net_balance: due },
    ],
  });
  await expectSound(company);
});

test("an order from abroad bears no tax while the letter of undertaking is valid, and IGST inside its price otherwise", async () => {
  const product = await newProduct(company, { selling_price: 118, tax_rate: 18, price_includes_tax: true });
  const items = [{ name: "x", quantity: 1, unit_price: 1, product_id: Number(product.id) }];
  const customer = { name: "Jane Doe", email: "jane@example.com", country: "US" };
  const buy = async (lut: Record<string, string | null>) => {
    must(await company.call("PATCH", "/settings/:company/profile", { body: lut }), 200);
    const placed = await placeOrder(company, { customer, items, shipping_amount: 11.8 });
    must(await deliver(company, shop.connected, razorpayEvent(placed)), 200);
    const order = await getOrder(company, placed.order_id);
    const { text } = await visit(new URL(String(order.invoice_url)).pathname);
    return { text, ...(await getInvoice(company, String(order.invoice_id))) };
  };
  const taxed = { taxable_total: 110, igst_total: 19.8, zero_rated: "with_payment" };
  expect(await buy({ lut_number: null })).toMatchObject(taxed);
  const under = await buy({ lut_number: "AD2903260001234", lut_valid_until: "2999-03-31" });
  expect(under).toMatchObject({ taxable_total: 129.8, igst_total: 0, zero_rated: "without_payment" });
  for (const shown of ["Country of destination", "United States", "(LUT AD2903260001234)"])
    expect(under.text).toContain(shown);
  expect(await buy({ lut_valid_until: "2020-03-31" })).toMatchObject(taxed);
  await expectSound(company);
});
