import { sql } from "drizzle-orm";
import * as z from "zod";
import {
  added,
  amount,
  described,
  idText,
  nullable,
  percentage,
  thousandths,
  unitPrice,
} from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import {
  moneyOnWire,
  moneyToWire,
  percentOnWire,
  percentToWire,
  quantityToWire,
} from "#shared/fields/numbers.ts";
import { GST_TREATMENTS } from "#shared/gst/treatments.ts";
import { invoiceItems, invoices } from "#tables/invoices";
import { taxBreakup, taxRates } from "../tax/gst.ts";

export type Supply = { supply_type: "intra" | "inter" | "export" | null };
type Taxed = { taxable_value: number; cgst_amount: number; sgst_amount: number; igst_amount: number };

/** A line of an invoice. */
export const item = record(
  invoiceItems,
  {
    id: idText,
    product_id: nullable(idText),
    item_name: z.string(),
    description: z.string().nullable(),
    hsn_sac_code: z.string().nullable(),
    quantity: thousandths,
    unit: z.string(),
    unit_price: described(unitPrice, "Before discount."),
    discount_amount: described(amount, "Of the whole line, before tax."),
    taxable_value: amount,
    tax_rate: percentage,
    gst_treatment: z.enum(GST_TREATMENTS).describe("`taxable`, or why no GST is charged."),
    cgst_rate: rate("cgstRate"),
    cgst_amount: amount,
    sgst_rate: rate("sgstRate"),
    sgst_amount: described(amount, "Or UTGST, in a union territory."),
    igst_rate: rate("igstRate"),
    igst_amount: amount,
    tax_amount: added(moneyOnWire, (line: Taxed) => moneyToWire(taxOf(line))),
    total: added(moneyOnWire.describe("With tax."), (line: Taxed) =>
      moneyToWire(line.taxable_value + taxOf(line)),
    ),
  },
  "InvoiceItem",
);
export type ItemRow = RowOf<typeof item>;

export const TaxBreakup = item.schema.pick({
  hsn_sac_code: true,
  tax_rate: true,
  unit: true,
  quantity: true,
  taxable_value: true,
  cgst_amount: true,
  sgst_amount: true,
  igst_amount: true,
});

/** The lines of an invoice, as JSON. */
export const itemsOf = sql<ItemRow[]>`(
  SELECT json_group_array(${item.columns()}) FROM (
    SELECT * FROM ${invoiceItems} WHERE ${invoiceItems.invoiceId} = ${invoices.id} ORDER BY ${invoiceItems.position}
  ) ${invoiceItems}
)`;
/** One of the rates that a line's tax is made of. */
function rate(name: "cgstRate" | "sgstRate" | "igstRate") {
  return added(percentOnWire, (line: { tax_rate: number }, { supply_type: supply }: Supply) =>
    percentToWire(taxRates(line.tax_rate, supply)[name]),
  );
}

function taxOf(line: Taxed): number {
  return line.cgst_amount + line.sgst_amount + line.igst_amount;
}

type BreakupRow = Pick<ItemRow, Exclude<keyof z.infer<typeof TaxBreakup>, "quantity">> & {
  quantity: number | null;
};

/** The taxes of lines summed by code, rate and unit. */
export function renderBreakup(items: readonly BreakupRow[]) {
  const taxed = items.map((line) => ({
    taxRate: line.tax_rate,
    hsnSacCode: line.hsn_sac_code,
    unit: line.unit,
    quantity: line.quantity ?? 0,
    taxableMinor: line.taxable_value,
    cgstMinor: line.cgst_amount,
    sgstMinor: line.sgst_amount,
    igstMinor: line.igst_amount,
  }));
  return taxBreakup(taxed).map((group) => ({
    hsn_sac_code: group.hsnSacCode,
    tax_rate: percentToWire(group.taxRate),
    unit: group.unit,
    quantity: quantityToWire(group.quantity),
    taxable_value: moneyToWire(group.taxableMinor),
    cgst_amount: moneyToWire(group.cgstMinor),
    sgst_amount: moneyToWire(group.sgstMinor),
    igst_amount: moneyToWire(group.igstMinor),
  }));
}
