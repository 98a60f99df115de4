import type { Invoice } from "../invoices/record.ts";
import { formatAmount, formatRate } from "./formats.ts";
import { type Column, Table, withNote } from "./table.tsx";

type TaxName = "cgst" | "sgst" | "igst";
type Tax = { label: string; total: number; share: number; amount: `${TaxName}_amount` };
type TaxedRow = Record<Tax["amount"] | "tax_rate", number>;

// Territories without a legislature have their own tax in place of a state's.
const UNION_TERRITORIES = new Set(["04", "26", "31", "35", "38"]);

/** The taxes that the invoice bears, and each one's share of the whole rate. */
export function taxesOf(invoice: Invoice): Tax[] {
  if (invoice.supply_type !== "intra") {
    return [{ label: "IGST", total: invoice.igst_total, share: 1, amount: "igst_amount" }];
  }
  const territory = UNION_TERRITORIES.has(invoice.place_of_supply?.code ?? "");
  return [
    { label: "CGST", total: invoice.cgst_total, share: 0.5, amount: "cgst_amount" },
    {
      label: territory ? "UTGST" : "SGST",
      total: invoice.sgst_total,
      share: 0.5,
      amount: "sgst_amount",
    },
  ];
}

/** A column per tax: its amount, and below it the rate if the rate has no own column. */
export function taxColumns(invoice: Invoice, withRate: boolean): Column<TaxedRow>[] {
  return taxesOf(invoice).map(({ label, total, share, amount }) => ({
    name: label,
    cell: (row) =>
      withNote(formatAmount(row[amount], invoice.currency), withRate && formatRate(row.tax_rate * share)),
    total: formatAmount(total, invoice.currency),
  }));
}

/** The taxes summed by HSN or SAC code and rate. */
export function TaxSummary({ invoice }: { invoice: Invoice }) {
  const { currency } = invoice;
  const columns: Column<Invoice["tax_breakup"][number]>[] = [
    { name: "HSN/SAC", kind: "words", cell: (group) => group.hsn_sac_code ?? "–", total: "Total" },
    {
      name: "Taxable value",
      cell: (group) => formatAmount(group.taxable_value, currency),
      total: formatAmount(invoice.taxable_total, currency),
    },
    { name: "GST rate", cell: (group) => formatRate(group.tax_rate) },
    ...taxColumns(invoice, false),
    {
      name: "Total tax",
      cell: (group) => formatAmount(group.cgst_amount + group.sgst_amount + group.igst_amount, currency),
      total: formatAmount(invoice.tax_total, currency),
    },
  ];
  return (
    <section>
      <h2>Tax by HSN/SAC</h2>
      <Table columns={columns} rows={invoice.tax_breakup} />
    </section>
  );
}
