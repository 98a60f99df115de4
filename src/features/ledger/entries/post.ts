import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { takeNumber, takenNumber } from "#platform/write/number-series.ts";
import type { AccountCode } from "#shared/payments/books.ts";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { debtorAccountOf } from "../accounts/debtor-account.ts";
import { accounts } from "../accounts/tables.ts";
import { leaveUnposted } from "../unposted/leave-unposted.ts";
import { entryColumns, lineColumns } from "./columns.ts";
import { inOpenFinancialYear, openFinancialYear } from "./open-financial-year.ts";
import { journalEntries, journalLines } from "./tables.ts";

/** An account of the service by its code, any by its id, or a customer's debtor account. */
export type AccountReference = { code: AccountCode } | { id: number } | { customerId: number | SQL<number> };

/** One side of an entry, in minor units; a line of nothing is left out. */
type PostingLine = { account: AccountReference; debit?: number; credit?: number };

export type Posting = {
  /** Tells the entries of one batch apart. */
  ordinal: number;
  voucherType: string;
  sourceType: string;
  sourceId: SQL<number>;
  date: string;
  narration: SQL<string> | string;
  lines: readonly PostingLine[];
};

/**
 * The statements of one journal entry, whole or not at all: where an account or an open financial year is missing, they
 * insert nothing but the reason. The entry starts as a draft and takes its lines. It is posted last, which a trigger
 * allows only when debits equal credits.
 */
export function postEntry(ctx: CallCtx, posting: Posting): SQLWrapper[] {
  const period = financialYearOf(posting.date).short;
  const lines = posting.lines.filter(({ debit = 0, credit = 0 }) => debit !== 0 || credit !== 0);
  if (lines.length === 0) return [];
  const resolved = sql`${inOpenFinancialYear(posting.date)} AND ${sql.join(
    lines.map(({ account }) => sql`${accountId(account)} IS NOT NULL`),
    sql` AND `,
  )}`;
  const entry = entryOf(ctx, posting.ordinal);
  const values = lines.map(
    ({ account, debit = 0, credit = 0 }, position) =>
      sql`(${position + 1}, ${accountId(account)}, ${debit}, ${credit})`,
  );
  return [
    ...openFinancialYear(ctx, posting.date),
    takeNumber("journal", period, resolved),
    sql`INSERT INTO ${journalEntries} (${entryColumns()})
      SELECT ${ctx.call.id}, ${posting.ordinal}, ${takenNumber("journal", period, NUMBER_PREFIXES.journal)}, ${posting.date},
        ${posting.voucherType}, ${posting.sourceType}, ${posting.sourceId}, NULL, ${posting.narration}, ${ctx.now}
      WHERE ${resolved}`,
    sql`INSERT INTO ${journalLines} (${lineColumns()})
      SELECT ${journalEntries.id}, column1, column2, column3, column4
      FROM (VALUES ${sql.join(values, sql`, `)}) JOIN ${journalEntries} ON ${entry}`,
    ctx.db.update(journalEntries).set({ status: "posted" }).where(entry),
    leaveUnposted(
      ctx,
      posting,
      whyUnresolved(posting.date, lines),
      sql`NOT EXISTS (SELECT 1 FROM ${journalEntries} WHERE ${entry})`,
    ),
  ];
}

/** Why an entry cannot be posted: the first reason that holds. */
function whyUnresolved(date: string, lines: readonly PostingLine[]): SQL {
  const missing = lines.map(
    ({ account }) =>
      sql`NOT EXISTS (SELECT 1 FROM ${accounts} WHERE ${accountIs(account)} AND ${accounts.deletedAt} IS NULL)`,
  );
  return sql`CASE WHEN NOT ${inOpenFinancialYear(date)} THEN 'no_financial_year'
    WHEN ${sql.join(missing, sql` OR `)} THEN 'account_missing' ELSE 'account_inactive' END`;
}

/** The entry that this call inserted under `ordinal`, as a condition on `journal_entries`. */
function entryOf(ctx: CallCtx, ordinal: number): SQL {
  return sql`${journalEntries.operation} = ${ctx.call.id} AND ${journalEntries.ordinal} = ${ordinal}`;
}

function accountId(account: AccountReference): SQL<number> {
  return sql`(SELECT ${accounts.id} FROM ${accounts} WHERE ${accountIs(account)} AND ${accounts.isActive} = 1)`;
}

function accountIs(account: AccountReference): SQL {
  if ("code" in account) return sql`${accounts.code} = ${account.code}`;
  return "id" in account ? sql`${accounts.id} = ${account.id}` : debtorAccountOf(account.customerId);
}
