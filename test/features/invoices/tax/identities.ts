import { expect } from "vitest";
import type { InvoiceRecord } from "../../commerce.ts";

/** An amount of the wire in paise; fails when it has more than two decimals. */
export function paise(amount: number): number {
  const whole = Math.round(amount * 100);
  expect(Number(`${whole}e-2`)).toBe(amount);
  return whole;
}

/** Checks the money identities of an invoice, its lines and its tax breakup, to the paisa. */
export function expectIdentities(invoice: InvoiceRecord): void {
  const { items, tax_breakup: breakup } = invoice;
  const sum = <Row>(rows: readonly Row[], amount: (row: Row) => number) =>
    rows.reduce((total, row) => total + paise(amount(row)), 0);
  const total = (name: keyof InvoiceRecord) => paise(Number(invoice[name]));

  for (const item of items) {
    expect(paise(item.tax_amount)).toBe(
      paise(item.cgst_amount) + paise(item.sgst_amount) + paise(item.igst_amount),
    );
    expect(paise(item.total)).toBe(paise(item.taxable_value) + paise(item.tax_amount));
    expect(item.cgst_amount).toBe(item.sgst_amount);
    expect(item.cgst_rate + item.sgst_rate + item.igst_rate).toBeCloseTo(item.tax_rate, 6);
  }
  for (const rows of [items, breakup]) {
    expect(sum(rows, (row) => row.taxable_value)).toBe(total("taxable_total"));
    expect(sum(rows, (row) => row.cgst_amount)).toBe(total("cgst_total"));
    expect(sum(rows, (row) => row.sgst_amount)).toBe(total("sgst_total"));
    expect(sum(rows, (row) => row.igst_amount)).toBe(total("igst_total"));
  }
  expect(sum(items, (item) => item.discount_amount)).toBe(total("discount_total"));
  expect(total("taxable_total")).toBe(total("sub_total") - total("discount_total"));
  expect(total("tax_total")).toBe(total("cgst_total") + total("sgst_total") + total("igst_total"));
  expect(total("total_amount")).toBe(total("taxable_total") + total("tax_total") + total("round_off"));
  expect(total("amount_due")).toBe(total("total_amount") - total("amount_paid") - total("tds_amount"));
  expect(Math.abs(total("round_off"))).toBeLessThanOrEqual(50);
}
