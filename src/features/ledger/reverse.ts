import { type SQL, sql } from "drizzle-orm";
import { companyToday } from "#platform/calendar.ts";
import type { Ctx } from "#platform/context.ts";
import { lastNumber, takeNumbers } from "#platform/numbers.ts";
import { financialYearOf } from "#shared/dates.ts";
import { openFinancialYear } from "./financial-year.ts";
import { journalEntries, journalLines, unposted } from "./tables.ts";

const SERIES = "journal";
// Ordinals of the entries that one call posts itself stay below this.
const FIRST_ORDINAL = 100;

/**
 * The statements that reverse every posted entry for which `originals` (a condition on the source of `original`) holds:
 * a new entry of today with the sides exchanged, and the original marked voided. Nothing of the books is ever taken
 * out; what was left out of them is needed no more.
 */
export function reverseEntries(ctx: Ctx, originals: SQL): SQL[] {
  const today = companyToday(ctx);
  const period = financialYearOf(today).short;
  const found = sql`FROM ${journalEntries} original
    WHERE original.status = 'posted' AND original.reversal_of IS NULL AND ${originals}`;
  const mine = sql`operation = ${ctx.operation.id} AND ordinal >= ${FIRST_ORDINAL}`;
  return [
    ...openFinancialYear(ctx, today),
    takeNumbers(SERIES, period, sql`SELECT count(*) ${found}`),
    sql`INSERT INTO ${journalEntries}
      (operation, ordinal, entry_number, entry_date, voucher_type, source_type, source_id, reversal_of, narration, created_at)
      SELECT ${ctx.operation.id}, ${FIRST_ORDINAL} + row_number() OVER (ORDER BY original.id),
        'JV/' || ${period} || '/' || printf('%05d', ${lastNumber(SERIES, period)} - count(*) OVER () + row_number() OVER (ORDER BY original.id)),
        ${today}, original.voucher_type, original.source_type, original.source_id, original.id,
        'Reversal of ' || original.entry_number, ${ctx.now}
      ${found}`,
    sql`INSERT INTO ${journalLines} (entry_id, position, account_id, debit, credit)
      SELECT reversal.id, line.position, line.account_id, line.credit, line.debit
      FROM ${journalEntries} reversal JOIN ${journalLines} line ON line.entry_id = reversal.reversal_of
      WHERE reversal.operation = ${ctx.operation.id} AND reversal.ordinal >= ${FIRST_ORDINAL}`,
    sql`UPDATE ${journalEntries} SET status = 'posted' WHERE ${mine}`,
    sql`UPDATE ${journalEntries} SET status = 'voided'
      WHERE id IN (SELECT reversal_of FROM ${journalEntries} WHERE ${mine})`,
    sql`DELETE FROM ${unposted} AS original WHERE ${originals}`,
  ];
}
