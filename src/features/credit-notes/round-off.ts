import { type SQL, sql } from "drizzle-orm";
import { creditNotes } from "./tables.ts";

/** The round-off of the notes of an invoice so far. */
export function roundOffGiven(invoiceId: number): SQL {
  return sql`SELECT coalesce(sum(${creditNotes.roundOff}), 0) FROM ${creditNotes}
    WHERE ${creditNotes.invoiceId} = ${invoiceId} AND ${creditNotes.status} = 'issued'`;
}

/** A share of an invoice's round-off by credited value, as with a head of a line: rounded half away from zero. */
export function roundOffAt(value: SQL): SQL {
  return sql`iif(round_off < 0, -1, 1) * ((2 * abs(round_off) * (${value}) + total) / (2 * max(total, 1)))`;
}
