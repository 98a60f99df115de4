import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { financialYearOf } from "../../../../src/shared/time/financial-year.ts";
import { must, openCompany, type TestCompany } from "../../../support/company.ts";
import { openSound } from "../../../support/oracles.ts";
import { getInvoice, line, newCustomer, newInvoice, postInvoice, REGISTERED } from "../../commerce.ts";
import { newProduct, today, voidInvoice } from "../../money.ts";
import { expectRefused } from "../../refusal.ts";
import { postCheckout } from "../../storefront/shop.ts";
import { pagePath, visit } from "./hosted.ts";

const COMPOSITION_WORDS = "Composition taxable person, not eligible to collect tax on supplies";
const untaxed = { ...line, tax_rate: 0, gst_treatment: "exempt" };

const setProfile = (company: TestCompany, body: Record<string, unknown>) =>
  company.call("PATCH", "/settings/:company/profile", { body });

async function paperOf(company: TestCompany, customerId: string, items: Record<string, unknown>[]) {
  const invoice = await newInvoice(company, customerId, { items });
  return { invoice, text: (await visit(await pagePath(company, invoice.id))).text };
}

describe("a registered seller", async () => {
  const company = await openSound(REGISTERED);
  const consumer = (await newCustomer(company)).id;
  const buyer = { gstin: "24AAQCA8719H1ZC", state: "GJ", city: "Surat" };
  const business = (await newCustomer(company, buyer)).id;

  test("issues a tax invoice for what is taxed, with both states, the PAN and a summary by code", async () => {
    const { invoice, text } = await paperOf(company, consumer, [line]);
    expect(invoice).toMatchObject({ document_type: "tax_invoice", state_tax_label: "SGST" });
    expect(invoice).not.toHaveProperty("warnings");
    expect(text).toContain("<h1>Tax invoice</h1>");
    for (const shown of [
      "CGST",
      "SGST",
      "Karnataka (29)",
      "PAN AABCR1718E",
      "Tax by HSN/SAC",
      "Reverse charge",
    ])
      expect(text).toContain(shown);
  });

  test("issues a bill of supply for what is untaxed, without a column of tax (Rule 49)", async () => {
    const { invoice, text } = await paperOf(company, consumer, [untaxed]);
    expect(invoice).toMatchObject({ document_type: "bill_of_supply", items: [{ gst_treatment: "exempt" }] });
    expect(text).toContain("<h1>Bill of supply</h1>");
    expect(text).not.toMatch(/CGST|IGST|Taxable value/);
    expect(text).toContain("<small>Exempt</small>");
  });

  test("issues one document for both to an unregistered buyer (Rule 46A), and a tax invoice that warns to others", async () => {
    const mixed = await paperOf(company, consumer, [line, untaxed]);
    expect(mixed.invoice.document_type).toBe("invoice_cum_bill_of_supply");
    for (const shown of [
      "<h1>Invoice-cum-bill of supply</h1>",
      "<small>Exempt</small>",
      "<dt>Taxable value</dt><dd>299.97</dd>",
      "<dt>Untaxed value</dt><dd>299.97</dd>",
    ])
      expect(mixed.text).toContain(shown);
    const { invoice } = await paperOf(company, business, [line, untaxed]);
    expect(invoice).toMatchObject({
      document_type: "tax_invoice",
      warnings: ["untaxed_lines_need_bill_of_supply"],
    });
  });

  test("is warned of what Rule 46 wants and the document lacks, and of what contradicts a GSTIN", async () => {
    const { address: _, ...bare } = REGISTERED;
    const other = await openCompany(bare);
    const { id } = await newCustomer(other, { gstin: "24AAQCA8719H1ZC", state: "GJ" });
    const { hsn_sac_code: _code, ...uncoded } = line;
    const answer = must(await postInvoice(other, id, { items: [uncoded], place_of_supply: "29" }), 201);
    expect(answer.body.data).toMatchObject({
      warnings: [
        "seller_address_missing",
        "buyer_address_missing",
        "hsn_code_missing",
        "place_of_supply_not_of_gstin",
      ],
    });
  });

  test("is warned of a rate that no law knows, a year to come, a lost state, and an export without tax and letter", async () => {
    const abroad = (await newCustomer(company, { country: "AE", gst_category: "overseas" })).id;
    const nextYear = `${financialYearOf(today(), "IN").end.slice(0, 4)}-04-01`;
    const warned = (id: string, fields: Record<string, unknown>) =>
      newInvoice(company, id, fields).then(({ warnings }) => warnings);
    expect(await warned(consumer, { items: [{ ...line, tax_rate: 81 }] })).toEqual(["rate_not_a_slab"]);
    const unsaid = await openCompany();
    const buyer = (await newCustomer(unsaid)).id;
    expect(await newInvoice(unsaid, buyer, { items: [{ ...line, tax_rate: 13.37 }] })).toMatchObject({
      warnings: ["rate_not_a_slab"],
    });
    expect(await warned(consumer, { invoice_date: nextYear })).toContain("invoice_date_in_later_year");
    const lost = (await newCustomer(company, { shipping_address: { state: "Tamil Nad" } })).id;
    expect(await warned(lost, {})).toEqual(["delivery_state_unknown"]);
    expect(await warned(lost, { items: [{ ...line, hsn_sac_code: "998314" }] })).toBeUndefined();
    expect(await warned(abroad, { items: [{ ...line, tax_rate: 0 }] })).toEqual([
      "letter_of_undertaking_missing",
    ]);
  });

  test("a line with a rate is taxable", async () => {
    const answer = await postInvoice(company, consumer, { items: [{ ...line, gst_treatment: "exempt" }] });
    expectRefused(answer, { "items[0].gst_treatment": "rate_not_zero" });
    const refused = await company.call("POST", "/products/:company", {
      body: { name: "Milk", unit_id: "1", tax_rate: 5, gst_treatment: "exempt" },
    });
    expectRefused(refused, { gst_treatment: "rate_not_zero" });
  });

  test("a line without tax has the treatment of its product, unless it names one", async () => {
    const product = await newProduct(company, { tax_rate: 0, gst_treatment: "exempt" });
    const untaxed = { ...line, product_id: product.id, tax_rate: 0 };
    const invoice = await newInvoice(company, consumer, {
      items: [untaxed, { ...untaxed, gst_treatment: "non_gst" }],
    });
    expect(invoice.items.map((each) => each.gst_treatment)).toEqual(["exempt", "non_gst"]);
  });

  test("a page prints by a script of a fixed text, and speaks Hindi on demand", async () => {
    const { id, invoice_number } = await newInvoice(company, consumer, { invoice_date: "2026-05-06" });
    const path = await pagePath(company, id);
    const answer = await visit(path);
    const [, script = ""] =
      /<script data-label="Print or save as PDF">([\s\S]*?)<\/script>/.exec(answer.text) ?? [];
    const hash = createHash("sha256").update(script).digest("base64");
    expect(answer.headers.get("Content-Security-Policy")).toContain(`script-src 'sha256-${hash}'`);
    const hindi = await visit(`${path}?lang=hi`);
    for (const shown of [
      'lang="hi-IN"',
      "कर बीजक (Tax invoice)",
      "देय राशि",
      "तीन सौ चौवन रुपये मात्र",
      "6 मई 2026",
      "कर्नाटक (29)",
      `${invoice_number} – `,
    ])
      expect(hindi.text).toContain(shown);
    expect(hindi.text).not.toMatch(/Rupees|Karnataka|May|Page/);
    must(await voidInvoice(company, id), 200);
    for (const [address, notice] of [
      [path, "रद्द"],
      [`${path.slice(0, -43)}${"x".repeat(43)}`, "नहीं मिला"],
    ])
      expect((await visit(`${address}?lang=hi`)).text).toMatch(
        new RegExp(`<html lang="hi">.*<h1>${notice}</h1>`),
      );
  });

  test("what the law wants said stands on a Hindi page in its own words too", async () => {
    const { id } = await newCustomer(company, { country: "US", state: "Texas", pincode: "75001" });
    const { text } = await visit(`${await pagePath(company, (await newInvoice(company, id)).id)}?lang=hi`);
    for (const shown of [
      "निर्यात के लिए प्रदाय, एकीकृत कर के भुगतान पर",
      "Supply meant for export on payment of integrated tax",
      "संयुक्त राज्य",
    ])
      expect(text).toContain(shown);
  });

  test("a bank account is shown while something is due, and to set it asks for the right to say where money goes", async () => {
    const bank = { bank_name: "State Bank", bank_account_number: "0012345678", bank_ifsc: "SBIN0001234" };
    expectRefused(await setProfile(company, { bank_ifsc: "SBIN123" }), { bank_ifsc: "invalid_ifsc" });
    must(await setProfile(company, bank), 200);
    const { text } = await paperOf(company, consumer, [line]);
    for (const shown of ["Pay by bank transfer", "0012345678", "SBIN0001234"]) expect(text).toContain(shown);
    const paid = await paperOf(company, consumer, [{ ...line, unit_price: 0 }]);
    expect(paid.text).not.toContain("Pay by bank transfer");
  });

  test("an invoice gets a new address on demand, and the old one is unknown", async () => {
    const invoice = await newInvoice(company, consumer);
    const old = await pagePath(company, invoice.id);
    const renew = () => company.call("POST", `/invoices/:company/${invoice.id}/hosted-url`);
    const renewed = must(await renew(), 200).body.data;
    expect(renewed).toEqual({ ...(await getInvoice(company, invoice.id)) });
    expect((renewed as { hosted_url: string }).hosted_url).not.toContain(old);
    expect((await visit(old)).status).toBe(404);
    must(await visit(await pagePath(company, invoice.id)), 200);
    must(await voidInvoice(company, invoice.id), 200);
    expect(await renew()).toMatchObject({ status: 409, body: { code: "invoice_voided" } });
  });
});

describe.each([
  ["unregistered", {}, "Invoice"],
  ["composition", { gstin: REGISTERED.gstin }, "Bill of supply"],
])("a seller that says that it is %s", async (gst_status, fields, title) => {
  const company = await openSound({ state: "Karnataka", ...fields });
  must(await setProfile(company, { gst_status }), 200);
  const buyer = (await newCustomer(company)).id;

  test("charges no tax: not on a line, not on a product, not at a shop (CGST Act, s.32)", async () => {
    const refused = await postInvoice(company, buyer);
    expect(refused).toMatchObject({ status: 422, body: { code: "gst_not_registered" } });
    expectRefused(refused, { "items[0].tax_rate": "gst_not_registered" });
    const product = { name: "Soap", unit_id: "1", tax_rate: 18 };
    const made = await company.call("POST", "/products/:company", { body: product });
    expectRefused(made, { tax_rate: "gst_not_registered" });
    const { id } = await newProduct(company, { tax_rate: 0 });
    const changed = await company.call("PATCH", `/products/:company/${id}`, { body: { tax_rate: 5 } });
    expectRefused(changed, { tax_rate: "gst_not_registered" });
    expectRefused(await postCheckout(company, { tax_amount: 18 }), { tax_amount: "gst_not_registered" });
  });

  test(`issues a document by the name of ${title}, without a column of tax`, async () => {
    const { text } = await paperOf(company, buyer, [{ ...line, tax_rate: 0 }]);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).not.toMatch(/CGST|IGST|Taxable value/);
    expect(text.includes(COMPOSITION_WORDS)).toBe(gst_status === "composition");
  });
});

test("a seller that has not said what it is taxes as before, and its page names no head; a status must not contradict the GSTIN, and is that of a company in India", async () => {
  const company = await openCompany({ state: "Karnataka" });
  const profile = must(await company.call("GET", "/settings/:company/profile"), 200).body.data;
  expect(profile).toMatchObject({ gst_status: null, warnings: ["gst_status_not_said"] });
  const { invoice, text } = await paperOf(company, (await newCustomer(company)).id, [line]);
  expect(invoice).toMatchObject({ document_type: "invoice", cgst_total: 27, total_amount: 354 });
  expect(text).toContain("<h1>Invoice</h1>");
  expect(text).not.toMatch(/CGST|Tax invoice/);

  for (const gst_status of ["registered", "composition"])
    expectRefused(await setProfile(company, { gst_status }), { gst_status: "gstin_required" });
  must(await setProfile(company, { gst_status: "unregistered" }), 200);
  const { gstin } = REGISTERED;
  expectRefused(await setProfile(company, { gstin }), { gst_status: "gstin_present" });
  const set = must(await setProfile(company, { gstin, gst_status: null }), 200).body.data;
  expect(set).toMatchObject({ gst_status: "registered", warnings: [] });
  expectRefused(await setProfile(company, { tax_registered: true }), { tax_registered: "not_accepted" });
});
