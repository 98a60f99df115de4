import type { Invoice } from "../invoices/record.ts";
import { formatAmount, formatQuantity, formatRate } from "./formats.ts";
import { type Column, Table, withNote } from "./table.tsx";
import { valueLabel } from "./untaxed.ts";
import type { Words } from "./words/words.ts";

/** A document with its taxes: an invoice, or what corrects one. */
export type Taxed = Pick<
  Invoice,
  | "document_type"
  | "tax_heads"
  | "state_tax_label"
  | "seller"
  | "currency"
  | "taxable_total"
  | "cgst_total"
  | "sgst_total"
  | "igst_total"
  | "tax_total"
  | "tax_breakup"
> & { with_tax?: boolean };
type Amounts = Record<"cgst_amount" | "sgst_amount" | "igst_amount", number>;
type TaxedRow = Amounts & { tax_rate: number };
type Tax = { label: string; total: number; share: number; of: (row: Amounts) => number };

/** The taxes that a document shows, and each one's share of the whole rate; none on a bill of supply or a commercial note. */
export function taxesOf(paper: Taxed, words: Words): Tax[] {
  const { document_type: type, tax_heads: heads, tax_total: total, seller } = paper;
  const one = (label: string): Tax => ({
    ...{ label, total, share: 1 },
    of: (row) => row.cgst_amount + row.sgst_amount + row.igst_amount,
  });
  if (type === "bill_of_supply" || paper.with_tax === false) return [];
  // A seller that does not say that it is registered charges no tax by the name of a head.
  if (heads === "single" || type === "invoice")
    return total > 0 || type === "tax_invoice" ? [one(seller.tax_label ?? words.tax)] : [];
  if (heads === "integrated") return [one("IGST")];
  return [
    { label: "CGST", total: paper.cgst_total, share: 0.5, of: (row) => row.cgst_amount },
    {
      label: paper.state_tax_label ?? "SGST",
      total: paper.sgst_total,
      share: 0.5,
      of: (row) => row.sgst_amount,
    },
  ];
}

/** A column per tax: its amount, and below it the rate if the rate has no own column. */
export function taxColumns(paper: Taxed, words: Words, withRate: boolean): Column<TaxedRow>[] {
  return taxesOf(paper, words).map(({ label, total, share, of }) => ({
    name: label,
    cell: (row) =>
      withNote(formatAmount(of(row), paper.currency), withRate && formatRate(row.tax_rate * share)),
    total: formatAmount(total, paper.currency),
  }));
}

/** The taxes summed by HSN or SAC code, rate and unit; India's only. */
export function TaxSummary({ paper, words }: { paper: Invoice; words: Words }) {
  const { currency } = paper;
  const taxes = taxColumns(paper, words, false);
  if (taxes.length === 0 || paper.seller.country !== "IN") return null;
  const columns: Column<Taxed["tax_breakup"][number]>[] = [
    { name: "HSN/SAC", kind: "words", cell: (group) => group.hsn_sac_code ?? "–", total: words.total },
    {
      name: words.quantity,
      cell: (group) => [formatQuantity(group.quantity), group.unit].filter(Boolean).join(" "),
    },
    {
      name: valueLabel(paper, words),
      cell: (group) => formatAmount(group.taxable_value, currency),
      total: formatAmount(paper.taxable_total, currency),
    },
    { name: words.taxRate, cell: (group) => formatRate(group.tax_rate) },
    ...taxes,
    ...(taxes.length === 1 ? [] : [totalTax(paper, words)]),
  ];
  return (
    <section>
      <h2>{words.taxByCode}</h2>
      <Table columns={columns} rows={paper.tax_breakup} />
    </section>
  );
}

function totalTax({ currency, tax_total: total }: Taxed, words: Words): Column<TaxedRow> {
  return {
    name: words.totalTax,
    cell: (row) => formatAmount(row.cgst_amount + row.sgst_amount + row.igst_amount, currency),
    total: formatAmount(total, currency),
  };
}
