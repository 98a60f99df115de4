import { eq, SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import { insertRow } from "#core/sql/json-rows.ts";
import { takeNumber, takenNumber } from "#core/write/number-series.ts";
import { leaveUnposted, postDocument } from "#features/ledger";
import { returnStock } from "#features/products";
import type { CreditReason } from "#shared/payments/credit-reasons.ts";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { creditNoteItems, creditNotes } from "#tables/credit-notes";
import { roundedSoFar, roundOffAt, roundOffOf } from "./round-off.ts";
import { creditedValues } from "./values.ts";

const SERIES = "credit_note";
// What bears no tax is no note under section 34 of the CGST Act, whose numbers are consecutive.
const COMMERCIAL_SERIES = "commercial_credit_note";
const insertNote = insertRow(creditNotes, [
  "operation",
  "invoiceId",
  "customerId",
  "noteDate",
  "financialYear",
  "reason",
  "reasonText",
  "withTax",
  "goodsOnly",
  "forRefund",
  "metadata",
  "publicToken",
  "createdAt",
  "updatedAt",
]);
const itemColumns = columnList(creditNoteItems, [
  "creditNoteId",
  "position",
  "invoiceItemId",
  "quantity",
  "taxableValue",
  "unearnedAmount",
  "cgstAmount",
  "sgstAmount",
  "igstAmount",
]);

/** A line to credit: thousandths of its unit, or minor units of its taxable value. */
export type CreditedLine = { id: number; quantity: number | null; taxable: number | null };
/** What returns to the stock of a product, in thousandths of its unit. */
export type Returned = { productId: number; quantity: number };

export type NewCreditNote = {
  invoice: { id: number; customerId: number; invoiceNumber: string; currency: string };
  prefix: string;
  noteDate: string;
  reason: CreditReason;
  reasonText: string | null;
  withTax: boolean;
  /** Whether only goods come back: it has no value, and nothing to post. */
  goodsOnly: boolean;
  /** Whether the call that issues it refunds it. */
  forRefund: boolean;
  ofUnposted: boolean;
  metadata: string;
  /** The lines, or a SELECT of them as JSON. */
  lines: readonly CreditedLine[] | SQL<string>;
  /** What it is to be worth, unless its lines decide that: less only where less is left. */
  total: number | null;
  returned: readonly Returned[];
};

/** The note that this call issues, as a condition on `credit_notes`. */
export function issuedBy(ctx: Pick<Ctx, "call">): SQL {
  return eq(creditNotes.operation, ctx.call.id);
}

/**
 * The statements that issue a note: numbered, its values worked out of what is credited so far, its goods returned, and
 * posted to the books. Triggers credit the lines of the invoice and take the note off what is due.
 */
export function insertCreditNote(ctx: Ctx, note: NewCreditNote): SQLWrapper[] {
  const { invoice, noteDate, withTax, lines, returned } = note;
  const year = financialYearOf(noteDate, ctx.company.country);
  const id = sql<number>`(SELECT ${creditNotes.id} FROM ${creditNotes} WHERE ${issuedBy(ctx)})`;
  const series = withTax ? SERIES : COMMERCIAL_SERIES;
  const prefix = withTax ? note.prefix : NUMBER_PREFIXES.commercialCreditNote;
  return [
    takeNumber(series, year.short),
    insertNote(
      {
        operation: ctx.call.id,
        invoiceId: invoice.id,
        customerId: invoice.customerId,
        noteDate,
        financialYear: year.name,
        reason: note.reason,
        reasonText: note.reasonText,
        withTax: Number(withTax),
        goodsOnly: Number(note.goodsOnly),
        forRefund: Number(note.forRefund),
        metadata: note.metadata,
        publicToken: ctx.newToken(),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      },
      { creditNoteNumber: takenNumber(series, year.short, prefix) },
    ),
    sql`INSERT INTO ${creditNoteItems} (${itemColumns()})
      SELECT ${id}, position, item_id, quantity, taxable, unearned, cgst, sgst, igst
      FROM (${creditedValues(lines instanceof SQL ? lines : JSON.stringify(lines), invoice.id, Number(withTax))}) ORDER BY position`,
    issue(ctx, note),
    ...returned.map((one) =>
      returnStock(ctx, {
        ...one,
        sale: { type: "invoice", id: invoice.id },
        reference: { type: "credit_note", id },
        earlier: sql`SELECT ${creditNotes.id} FROM ${creditNotes} WHERE ${creditNotes.invoiceId} = ${invoice.id}`,
      }),
    ),
    ...posting(ctx, id, note),
  ];
}

/** Gives the draft its totals and its round-off, which leaves it no more than is left of the invoice, and issues it. */
function issue(ctx: Ctx, { invoice, total, withTax }: NewCreditNote): SQL {
  const { taxableValue, cgstAmount, sgstAmount, igstAmount } = creditNoteItems;
  const sum = (value: SQLWrapper) => sql`coalesce(sum(${value}), 0)`;
  const sums = sql`SELECT ${sum(taxableValue)} AS taxable, ${sum(cgstAmount)} AS cgst, ${sum(sgstAmount)} AS sgst,
      ${sum(igstAmount)} AS igst, ${sum(sql`${taxableValue} + ${cgstAmount} + ${sgstAmount} + ${igstAmount}`)} AS worth
    FROM ${creditNoteItems} JOIN ${creditNotes} ON ${creditNotes.id} = ${creditNoteItems.creditNoteId}
    WHERE ${issuedBy(ctx)}`;
  const share =
    total === null
      ? roundOffOf(withTax, sql`${roundOffAt(sql`before + taxable`)} - ${roundOffAt(sql`before`)}`)
      : sql`${total} - worth`;
  return sql`UPDATE ${creditNotes} SET status = 'issued', taxable_total = taxable, cgst_total = cgst, sgst_total = sgst,
      igst_total = igst, tax_total = worth - taxable, round_off = share, total_amount = worth + share
    FROM (SELECT *, max(min(${share}, uncredited - worth), -worth) AS share
      FROM (${sums}) CROSS JOIN (${roundedSoFar(invoice.id)})) AS worked_out
    WHERE ${issuedBy(ctx)}`;
}

/** The entry of a note. That of an invoice without one waits, for it would take back a sale that the books do not have. */
function posting(
  ctx: Ctx,
  id: SQL<number>,
  { invoice, noteDate, goodsOnly, ofUnposted }: NewCreditNote,
): SQLWrapper[] {
  if (goodsOnly) return [];
  const source = { voucherType: "credit_note", sourceType: "credit_note", sourceId: id } as const;
  const { currency } = invoice;
  if (ofUnposted && currency === ctx.company.currency)
    return [leaveUnposted(ctx, source, "invoice_unposted")];
  return postDocument(ctx, source, { currency, date: noteDate });
}
