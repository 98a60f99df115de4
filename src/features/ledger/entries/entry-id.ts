import { type Column, type SQL, sql } from "drizzle-orm";
import { journalEntries } from "#tables/ledger";

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
