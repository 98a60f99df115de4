import { expect, test } from "vitest";
import { line, newInvoice, openTrader } from "../../commerce.ts";

const { company, customerId } = await openTrader();

test("a line has its rates and amounts", async () => {
  const items = [{ ...line, tax_rate: 0.25, hsn_sac_code: "7102", description: "Rough" }];
  const { items: lines } = await newInvoice(company, customerId, { items });
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

test("the tax breakup sums the lines by HSN code, rate and unit, in that order", async () => {
  const item = (unit_price: number, tax_rate: number, code?: string) => ({
    ...line,
    quantity: 1,
    unit_price,
    tax_rate,
    hsn_sac_code: code,
  });
  const items = [item(100, 18, "7323"), item(50, 5), item(200, 18, "7323"), item(10, 18), item(1, 5)];
  const { tax_breakup: breakup } = await newInvoice(company, customerId, { items, place_of_supply: "27" });
  const none = { unit: "NOS", cgst_amount: 0, sgst_amount: 0 };
  expect(breakup).toEqual([
    { ...none, tax_rate: 18, hsn_sac_code: "7323", quantity: 2, taxable_value: 300, igst_amount: 54 },
    { ...none, tax_rate: 5, hsn_sac_code: null, quantity: 2, taxable_value: 51, igst_amount: 2.55 },
    { ...none, tax_rate: 18, hsn_sac_code: null, quantity: 1, taxable_value: 10, igst_amount: 1.8 },
  ]);
});

test("an invoice over nothing is paid, and never overdue", async () => {
  const items = [{ ...line, unit_price: 0 }];
  const created = await newInvoice(company, customerId, { items, invoice_date: "2020-01-01" });
  expect(created).toMatchObject({
    total_amount: 0,
    amount_due: 0,
    payment_status: "paid",
    is_overdue: false,
    journal_entry_id: null,
  });
  expect(created).not.toHaveProperty("warnings");
});

test("an invoice that is rounded to nothing is paid, and its entry still balances", async () => {
  const items = [{ ...line, quantity: 1, unit_price: 0.4, tax_rate: 0 }];
  const created = await newInvoice(company, customerId, { items });
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
  const created = await newInvoice(company, customerId, { ...absurd, items });
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
