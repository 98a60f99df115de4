import { type Column, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { journalEntries } from "#tables/ledger";

const reversal = alias(journalEntries, "reversal");

/** The id of the entry that a document has in the books, of one kind of voucher where it may have several; no reversal. */
export function entryIdOf(sourceType: string, sourceId: Column, voucherType?: string): SQL<number | null> {
  const { id, sourceType: type, sourceId: source, voucherType: voucher, reversalOf } = journalEntries;
  // Literal text, so that it can stand in statements that bind nothing.
  const ofVoucher = voucherType === undefined ? sql`` : sql`${voucher} = ${sql.raw(`'${voucherType}'`)} AND `;
  return sql<number | null>`(
  SELECT ${id} FROM ${journalEntries}
  WHERE ${type} = ${sql.raw(`'${sourceType}'`)} AND ${source} = ${sourceId}
    AND ${ofVoucher}${reversalOf} IS NULL
)`;
}

/** The id of the entry that reversed the one of a document. */
export function reversalIdOf(sourceType: string, sourceId: Column): SQL<number | null> {
  return sql<number | null>`(SELECT ${reversal.id} FROM ${journalEntries} AS ${reversal}
    WHERE ${reversal.reversalOf} = ${entryIdOf(sourceType, sourceId)})`;
}
