import { describe, expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer, newInvoice, postInvoice, refusedFields } from "../commerce.ts";
import { entryLines, newPayment, newProduct } from "../money.ts";
import { bought, shopper } from "../storefront/shop.ts";

const ABN = "51 824 753 556";
const SYDNEY = { ...shopper, state: "New South Wales", pincode: "2000", country: "AU" };

/** A shop with one product of 110.00, which holds a tax of 10 percent where the company may charge any. */
async function openInAustralia(says: Record<string, unknown>) {
  const company = await openCompany({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
  const product = await newProduct(company, { selling_price: 110, tax_rate: 10, price_includes_tax: true });
  await company.change("/settings/:company/profile", says);
  const productId = Number(product.id);
  return { company, productId, connected: await connectGateway(company, "razorpay") };
}

type Shop = Awaited<ReturnType<typeof openInAustralia>>;

/** Sells the product; gives its invoice and its page. */
async function sell(shop: Shop) {
  const items = [{ name: "x", quantity: 1, unit_price: 1, product_id: shop.productId }];
  const { invoice, page } = await bought(shop, { currency: "AUD", customer: SYDNEY, items });
  return { invoice, text: page.text };
}

const unpostedOf = (company: TestCompany) => company.read<object[]>("/ledger/:company/unposted");
const checkOf = (company: TestCompany) => company.read("/ledger/:company/self-check");

describe("a company registered for GST in Australia", async () => {
  const says = { tax_registered: true, tax_label: "GST", tax_number: ABN, tax_number_label: "ABN" };
  const shop = await openInAustralia(says);

  test("issues a tax invoice with one head of tax and its ABN, and posts it in Australian dollars", async () => {
    const { invoice, text } = await sell(shop);
    expect(invoice).toMatchObject({
      ...{ document_type: "tax_invoice", currency: "AUD", tax_heads: "single", supply_type: null },
      ...{ taxable_total: 100, cgst_total: 0, sgst_total: 0, igst_total: 10, total_amount: 110 },
      ...{ place_of_supply: null, zero_rated: null },
    });
    expect(text).toContain("<h1>Tax invoice</h1>");
    expect(text).toContain("GST");
    expect(text).toMatch(new RegExp(`ABN[^<]*(<[^>]*>)?\\s*${ABN}`));
    expect(text).not.toMatch(/IGST|CGST|SGST|Place of supply|[Ee]xport|HSN/);
    expect(text).toContain('<html lang="en-AU"');
    expect(await entryLines(shop.company, invoice.journal_entry_id)).toEqual([
      `Sundry Debtors / ${SYDNEY.name} Dr 110 Cr 0`,
      "Sales Dr 0 Cr 100",
      "Output GST Dr 0 Cr 10",
    ]);
    const balance = await shop.company.read("/ledger/:company/trial-balance");
    expect(balance).toMatchObject({ currency: "AUD", total_debit: 220, total_credit: 220 });
    expect(await unpostedOf(shop.company)).toEqual([]);
    expect(await checkOf(shop.company)).toMatchObject({ broken: [], open: [] });
    await expectSound(shop.company);
  });

  test("issues no invoice in rupees by hand", async () => {
    const { company } = shop;
    const { id } = await newCustomer(company, { country: "AU", state: "Victoria", pincode: "3000" });
    const refused = await postInvoice(company, id);
    expect(refused).toMatchObject({ status: 422, body: { code: "currency_not_supported" } });
    expect(refusedFields(refused)).toEqual({ currency: "currency_not_supported" });
  });

  test("has the financial year of Australia, which starts in July", async () => {
    const { invoice } = await sell(shop);
    const days = "substr(start_date, 6) AS starts, substr(end_date, 6) AS ends";
    const where = `FROM financial_years WHERE name = '${invoice.financial_year}'`;
    expect(await shop.company.rows(`SELECT ${days} ${where}`)).toEqual([{ starts: "07-01", ends: "06-30" }]);
  });
});

test("outside India the accounts of tax bear the label of the tax, and no name of India's", async () => {
  const company = await openCompany({ country: "GB", currency: "GBP", timezone: "Europe/London" });
  const label = (tax_label: string | null) => company.change("/settings/:company/profile", { tax_label });
  const names = async () =>
    (await company.read<{ name: string }[]>("/ledger/:company/accounts"))
      .map(({ name }) => name)
      .filter((name) => /Output|Input|[CSI]GST|VAT|TDS|Withheld/.test(name))
      .sort();
  expect(await names()).toEqual(["Input Tax", "Output Tax", "Tax Withheld"]);
  await label("VAT");
  expect(await names()).toEqual(["Input VAT", "Output VAT", "Tax Withheld"]);
  await company.rows("UPDATE accounts SET name = 'VAT on sales' WHERE name = 'Output VAT'");
  await label(null);
  expect(await names()).toEqual(["Input Tax", "Tax Withheld", "VAT on sales"]);
  await expectSound(company);
});

test("an unregistered company in Australia issues an invoice without tax, and keeps its books in dollars", async () => {
  const shop = await openInAustralia({
    tax_registered: false,
    tax_number: ABN,
    tax_number_label: "ABN",
  });
  const { invoice, text } = await sell(shop);
  expect(invoice).toMatchObject({ document_type: "invoice", taxable_total: 110, tax_total: 0 });
  expect(text).toContain("<h1>Invoice</h1>");
  expect(text).toMatch(new RegExp(`ABN[^<]*(<[^>]*>)?\\s*${ABN}`));
  expect(await entryLines(shop.company, invoice.journal_entry_id)).toEqual([
    `Sundry Debtors / ${SYDNEY.name} Dr 110 Cr 0`,
    "Sales Dr 0 Cr 110",
  ]);
  expect(await unpostedOf(shop.company)).toEqual([]);
  await expectSound(shop.company);
});

test("books in dollars leave an invoice and a payment in rupees out, and say why", async () => {
  const company = await openCompany({ currency: "AUD" });
  const invoice = await newInvoice(company, (await newCustomer(company)).id);
  expect(invoice).toMatchObject({ journal_entry_id: null, warnings: ["other_currency"] });
  const paid = await newPayment(company, { invoice_id: Number(invoice.id), amount: 1 });
  expect(paid).toMatchObject({ journal_entry_id: null });
  expect(await unpostedOf(company)).toMatchObject([
    { source_type: "payment", currency: "INR", reason: "other_currency" },
    { source_type: "invoice", currency: "INR", reason: "other_currency" },
  ]);
  expect(await checkOf(company)).toMatchObject({ broken: [], open: [{ rows: 2 }] });
  await expectSound(company);
});

test("the currency of the books and the start of their year are fixed with the first number issued", async () => {
  const company = await openCompany();
  const change = (set: string) => company.rows(`UPDATE profile SET ${set}`);
  await change("books_currency = 'AUD', financial_year_month = 7");
  await change("books_currency = 'INR', financial_year_month = 4");
  await newInvoice(company, (await newCustomer(company)).id);
  await expect(change("books_currency = 'AUD'")).rejects.toThrow("books_are_fixed");
  await expect(change("financial_year_month = 7")).rejects.toThrow("books_are_fixed");
  await change("name = 'Asha Stores'");
});
