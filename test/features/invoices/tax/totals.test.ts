import { afterAll, describe, expect, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import vectors from "../../../vectors/gst-totals.json" with { type: "json" };
import { getInvoice, line, listInvoices, newCustomer, newInvoice, REGISTERED } from "../../commerce.ts";
import { expectIdentities, paise } from "./identities.ts";

const company = await openCompany(REGISTERED);
const buyers: Record<string, string> = {
  intra: (await newCustomer(company, { state: "Karnataka" })).id,
  inter: (await newCustomer(company, { state: "Maharashtra" })).id,
};
afterAll(() => expectSound(company));

const lineOf = ([quantity, unit_price, tax_rate]: number[]) => ({ ...line, quantity, unit_price, tax_rate });

describe("every vector holds through the API", () => {
  test.each(vectors.cases)("$lines $supply comes to $total", async ({ lines, supply, ...expected }) => {
    const created = await newInvoice(company, buyers[supply], { items: lines.map(lineOf) });
    expect(created.supply_type).toBe(supply);
    expect({
      taxable: created.taxable_total,
      cgst: created.cgst_total,
      sgst: created.sgst_total,
      igst: created.igst_total,
      before: (paise(created.taxable_total) + paise(created.tax_total)) / 100,
      round_off: created.round_off,
      total: created.total_amount,
    }).toEqual(expected);
    const read = await getInvoice(company, created.id);
    const listed = (await listInvoices(company, "limit=1"))[0];
    expect([read, listed]).toEqual([created, created]);
    expectIdentities(created);
  });
});

test("a line has its rates and amounts", async () => {
  const items = [{ ...line, tax_rate: 0.25, hsn_sac_code: "7102", description: "Rough" }];
  const { items: lines } = await newInvoice(company, buyers.intra, { items });
  expect(lines).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      product_id: null,
      item_name: "Steel bottle",
      description: "Rough",
      hsn_sac_code: "7102",
      quantity: 3,
      unit: "NOS",
      unit_price: 99.99,
      discount_amount: 0,
      taxable_value: 299.97,
      tax_rate: 0.25,
      gst_treatment: "taxable",
      cgst_rate: 0.125,
      cgst_amount: 0.37,
      sgst_rate: 0.125,
      sgst_amount: 0.37,
      igst_rate: 0,
      igst_amount: 0,
      tax_amount: 0.74,
      total: 300.71,
    },
  ]);
});

test("half of a rate in thousandths of a percent is exact", async () => {
  const { items } = await newInvoice(company, buyers.intra, { items: [{ ...line, tax_rate: 0.005 }] });
  expect(items[0]).toMatchObject({ tax_rate: 0.005, cgst_rate: 0.0025, sgst_rate: 0.0025 });
});

test.each([
  [0.5, 0.1, 0.05],
  [0.5, 0.13, 0.07],
  [1.005, 1, 1.01],
  [1.005, 100, 100.5],
  [0.001, 4.9999, 0],
  [0.001, 5, 0.01],
])("%d x %d is %d before tax: half a paisa goes up", async (quantity, price, taxable) => {
  const items = [{ ...line, quantity, unit_price: price, tax_rate: 0 }];
  const created = await newInvoice(company, buyers.intra, { items, apply_round_off: false });
  expect(created.taxable_total).toBe(taxable);
});

test("the tax breakup sums the lines by HSN code, rate and unit, in that order", async () => {
  const item = (unit_price: number, tax_rate: number, code?: string) => ({
    ...line,
    quantity: 1,
    unit_price,
    tax_rate,
    hsn_sac_code: code,
  });
  const items = [item(100, 18, "7323"), item(50, 5), item(200, 18, "7323"), item(10, 18), item(1, 5)];
  const { tax_breakup: breakup } = await newInvoice(company, buyers.inter, { items });
  const none = { unit: "NOS", cgst_amount: 0, sgst_amount: 0 };
  expect(breakup).toEqual([
    { ...none, tax_rate: 18, hsn_sac_code: "7323", quantity: 2, taxable_value: 300, igst_amount: 54 },
    { ...none, tax_rate: 5, hsn_sac_code: null, quantity: 2, taxable_value: 51, igst_amount: 2.55 },
    { ...none, tax_rate: 18, hsn_sac_code: null, quantity: 1, taxable_value: 10, igst_amount: 1.8 },
  ]);
});

test("an invoice over nothing is paid, and never overdue", async () => {
  const items = [{ ...line, unit_price: 0 }];
  const created = await newInvoice(company, buyers.intra, { items, invoice_date: "2020-01-01" });
  expect(created).toMatchObject({
    total_amount: 0,
    amount_due: 0,
    payment_status: "paid",
    is_overdue: false,
    journal_entry_id: null,
  });
});

test("an invoice that is rounded to nothing is paid, and its entry still balances", async () => {
  const items = [{ ...line, quantity: 1, unit_price: 0.4, tax_rate: 0 }];
  const created = await newInvoice(company, buyers.intra, { items });
  expect(created).toMatchObject({
    taxable_total: 0.4,
    round_off: -0.4,
    total_amount: 0,
    payment_status: "paid",
  });
  expect(created.journal_entry_id).not.toBeNull();
});

test("totals that a client sends are ignored", async () => {
  const absurd = {
    sub_total: 1,
    discount_total: 1,
    taxable_total: 1,
    tax_total: 1,
    cgst_total: -5,
    round_off: 77,
    total: 1,
    total_amount: 1,
    amount_paid: 354,
    amount_due: 0,
    payment_status: "paid",
    invoice_number: "MINE/1",
    status: "sent",
  };
  const items = [{ ...line, taxable_value: 1, tax_amount: 0, total: 1, cgst_amount: 9 }];
  const created = await newInvoice(company, buyers.intra, { ...absurd, items });
  expect(created).toMatchObject({
    sub_total: 299.97,
    discount_total: 0,
    taxable_total: 299.97,
    tax_total: 54,
    round_off: 0.03,
    total_amount: 354,
    amount_paid: 0,
    amount_due: 354,
    payment_status: "unpaid",
    status: "draft",
  });
  expect(created.invoice_number).toMatch(/^INV\//);
});
