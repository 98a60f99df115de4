import { type Column, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { described, from, idText, instant, nullable } from "#core/sql/fields.ts";
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

/** The fields of a record that is posted, and may be taken back. */
export function postedFields(sourceType: string, id: Column, posted: string, reversed: string) {
  const posting = entryIdOf(sourceType, id);
  const reversedBy = sql<number | null>`(SELECT ${reversal.id} FROM ${journalEntries} AS ${reversal}
    WHERE ${reversal.reversalOf} = ${posting})`;
  return {
    journal_entry_id: from(posting, described(nullable(idText), posted)),
    reversal_journal_entry_id: from(reversedBy, described(nullable(idText), "The entry that reverses it.")),
    reversed_at: described(nullable(instant), reversed),
  };
}
