import { type SQL, sql } from "drizzle-orm";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";

/** The row of an invoice by which a note's share of its round-off is worked out, with what its notes have so far. */
export function roundedSoFar(invoiceId: number | SQL): SQL {
  const { taxableTotal, taxableCredited, roundOff, totalAmount } = invoices;
  return sql`SELECT ${taxableTotal} AS total, ${taxableCredited} AS before, ${roundOff} AS round_off,
      ${totalAmount} - coalesce(sum(${creditNotes.totalAmount}), 0) AS uncredited,
      coalesce(sum(${creditNotes.roundOff}), 0) AS given
    FROM ${invoices} LEFT JOIN ${creditNotes} ON ${creditNotes.invoiceId} = ${invoices.id} AND ${creditNotes.status} = 'issued'
    WHERE ${invoices.id} = ${invoiceId}`;
}

/** A share of an invoice's round-off by credited value, as with a head of a line: rounded half away from zero. */
export function roundOffAt(value: SQL): SQL {
  return sql`iif(round_off < 0, -1, 1) * ((2 * abs(round_off) * (${value}) + total) / (2 * max(total, 1)))`;
}

/** What a note bears of the round-off: all that is left if it ends the value of the invoice, else by `share` if it bears tax. */
export function roundOffOf(withTax: boolean, share: SQL): SQL {
  return sql`iif(before + taxable = total, round_off - given, ${withTax ? share : 0})`;
}
