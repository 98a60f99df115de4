import { type Column, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import { lastNumber, numberText, takeNumbers } from "#core/write/number-series.ts";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { journalEntries, journalLines, unposted } from "#tables/ledger";
import { openFinancialYear, type POSTINGS, periodOf } from "./post.ts";

const SERIES = "journal";
// Ordinals of the entries that one call posts itself stay below this.
const FIRST_ORDINAL = 100;

const original = alias(journalEntries, "original");
const line = alias(journalLines, "line");

/** Documents of one type: `ids` is what stands in `IN (...)`, one id or a SELECT of ids. */
type Documents = { sourceType: keyof typeof POSTINGS | "manual" | "settlement"; ids: SQL };

/**
 * The statements that reverse every posted entry of the documents: a new entry with the sides exchanged, of `day` or of
 * the later day that the original is of, and the original marked voided. Nothing is ever deleted from the books. The notes
 * of what has no entry are deleted, because nothing is missing any more.
 */
export function reverseEntries(
  ctx: CallCtx,
  documents: readonly Documents[],
  day: string = companyToday(ctx),
  narration: SQL | string = sql`'Reversal of ' || ${original.entryNumber}`,
): SQLWrapper[] {
  const date = sql<string>`max(${day}, ${original.entryDate})`;
  const period = periodOf(date);
  const found = sql`FROM ${journalEntries} AS ${original}
    WHERE ${original.status} = 'posted' AND ${original.reversalOf} IS NULL AND ${isOfAny(original, documents)}`;
  const mine = sql`${journalEntries.operation} = ${ctx.call.id} AND ${journalEntries.ordinal} >= ${FIRST_ORDINAL}`;
  const place = sql`row_number() OVER (ORDER BY ${original.id})`;
  const number = sql<number>`${lastNumber(SERIES, period)} - count(*) OVER (PARTITION BY ${period})
    + row_number() OVER (PARTITION BY ${period} ORDER BY ${original.id})`;
  return [
    ...openFinancialYear(ctx, day),
    takeNumbers(SERIES, period, found),
    sql`INSERT INTO ${journalEntries} (operation, ordinal, entry_number, entry_date, voucher_type, source_type, source_id,
        reversal_of, narration, created_at)
      SELECT ${ctx.call.id}, ${FIRST_ORDINAL} + ${place},
        ${numberText(NUMBER_PREFIXES.journal, period, number)},
        ${date}, ${original.voucherType}, ${original.sourceType}, ${original.sourceId}, ${original.id},
        ${narration}, ${ctx.now}
      ${found}`,
    sql`INSERT INTO ${journalLines} (entry_id, position, account_id, debit, credit)
      SELECT ${journalEntries.id}, ${line.position}, ${line.accountId}, ${line.credit}, ${line.debit}
      FROM ${journalEntries} JOIN ${journalLines} AS ${line} ON ${line.entryId} = ${journalEntries.reversalOf}
      WHERE ${mine}`,
    sql`UPDATE ${journalEntries} SET status = iif(${mine}, 'posted', 'voided') WHERE ${mine} OR ${journalEntries.id} IN (
      SELECT ${original.reversalOf} FROM ${journalEntries} AS ${original}
      WHERE ${original.operation} = ${ctx.call.id} AND ${original.ordinal} >= ${FIRST_ORDINAL})`,
    ctx.db.delete(unposted).where(isOfAny(unposted, documents)),
  ];
}

function isOfAny(
  { sourceType, sourceId }: Record<"sourceType" | "sourceId", Column>,
  documents: readonly Documents[],
): SQL {
  const of = documents.map((one) => sql`(${sourceType} = ${one.sourceType} AND ${sourceId} IN (${one.ids}))`);
  return sql`(${sql.join(of, sql` OR `)})`;
}
