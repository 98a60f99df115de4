import { is, SQL, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { nextNumber, takeNumber } from "#core/write/number-series.ts";
import type { AccountKey } from "#shared/payments/books.ts";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { accounts, financialYears, journalEntries, journalLines } from "#tables/ledger";
import { debtorAccountOf } from "../accounts/debtor-account.ts";
import { leaveUnposted } from "../unposted/leave-unposted.ts";

/**
 * An account of the service by its system key, any by its id or by SQL that finds the id, or the debtor account of the
 * posting's customer.
 */
type AccountReference = { key: AccountKey } | { id: number } | { found: SQL<number> } | { of: "customer" };

/** One side of an entry, in minor units; a line of nothing is left out. */
export type PostingLine = { account: AccountReference; debit?: number; credit?: number };

export type Posting = {
  /** Distinguishes the entries of one batch. */
  ordinal: number;
  voucherType: string;
  sourceType: string;
  sourceId: SQL<number>;
  date: string;
  narration: SQL<string> | string;
  customerId: number | SQL<number>;
  /** Or, where the database works them out, JSON of `{of or key, debit, credit}`. */
  lines: readonly PostingLine[] | SQL<string>;
};

export type Lines = { lines: string | SQL; customerId: number | SQL };
export type Entry = { operation: string; ordinal: number };
type Columns = Entry &
  Pick<Posting, "voucherType" | "sourceType" | "sourceId" | "date" | "narration"> & {
    number: SQL;
    now: number;
  };

const YEARS_BACK = 2;
const YEARS_AHEAD = 1;
const SERIES = "journal";
const WHERE_INSERTED = sql`changes() > 0`;

/** What an entry is inserted with; it starts as a draft. */
export const entryColumns = columnList(journalEntries, [
  "operation",
  "ordinal",
  "entryNumber",
  "entryDate",
  "voucherType",
  "sourceType",
  "sourceId",
  "reversalOf",
  "narration",
  "createdAt",
]);

/** What a line is inserted with. */
export const lineColumns = columnList(journalLines, ["entryId", "position", "accountId", "debit", "credit"]);

const insertYear = keptStatement(
  ({ name, start, end }: Given<{ name: string; start: string; end: string }>) =>
    sql`INSERT INTO ${financialYears} (name, start_date, end_date) VALUES (${name}, ${start}, ${end})
      ON CONFLICT (name) DO NOTHING`,
);
const insertEntry = keptStatement(
  (given: Given<Columns & Lines>) => sql`INSERT INTO ${journalEntries} (${entryColumns()})
    SELECT ${given.operation}, ${given.ordinal}, ${given.number}, ${given.date}, ${given.voucherType}, ${given.sourceType},
      ${given.sourceId}, NULL, ${given.narration}, ${given.now}
    WHERE ${inOpenFinancialYear(given.date)}
      AND NOT EXISTS (SELECT 1 FROM ${linesOf(given)} WHERE ${accounts.isActive} IS NOT 1)`,
);
const insertLines = keptStatement(
  (given: Given<Entry & Lines>) => sql`INSERT INTO ${journalLines} (${lineColumns()})
    SELECT ${journalEntries.id}, line.key + 1, ${accounts.id}, line.value ->> '$.debit', line.value ->> '$.credit'
    FROM ${journalEntries} CROSS JOIN ${linesOf(given)} WHERE ${entryOf(given)}`,
);
/** The statement that posts an entry once its lines stand. */
const markPosted = keptStatement(
  (given: Given<Entry>) => sql`UPDATE ${journalEntries} SET status = 'posted' WHERE ${entryOf(given)}`,
);
const isMissing = keptStatement(
  (given: Given<Entry>) => sql`NOT EXISTS (SELECT 1 FROM ${journalEntries} WHERE ${entryOf(given)})`,
);
/** Why an entry cannot be posted: the first reason that holds. */
const whyUnresolved = keptStatement(
  (
    given: Given<Lines & { date: string }>,
  ) => sql`CASE WHEN NOT ${inOpenFinancialYear(given.date)} THEN 'no_financial_year'
    WHEN EXISTS (SELECT 1 FROM ${linesOf(given)} WHERE ${accounts.id} IS NULL OR ${accounts.deletedAt} IS NOT NULL)
    THEN 'account_missing' ELSE 'account_inactive' END`,
);

/**
 * The statements of one journal entry, whole or not at all: where an account or an open financial year is missing, they
 * insert nothing but the reason. The entry starts as a draft and takes its lines. It is posted last, which a trigger
 * allows only when debits equal credits.
 */
export function postEntry(ctx: CallCtx, posting: Posting): SQL[] {
  const { ordinal, voucherType, sourceType, sourceId, date, narration, customerId } = posting;
  const lines = sidesOf(posting.lines);
  if (lines === null) return [];
  const period = financialYearOf(date, ctx.company.country).short;
  const number = nextNumber(SERIES, period, NUMBER_PREFIXES.journal);
  const entry = { operation: ctx.call.id, ordinal };
  return [
    ...openFinancialYear(ctx, date),
    insertEntry({
      ...entry,
      ...{ number, date, voucherType, sourceType, sourceId, narration, now: ctx.now },
      ...{ lines, customerId },
    }),
    takeNumber(SERIES, period, WHERE_INSERTED),
    insertLines({ ...entry, lines, customerId }),
    markPosted(entry),
    leaveUnposted(ctx, posting, whyUnresolved({ date, lines, customerId }), isMissing(entry)),
  ];
}

/** What a document posts by a view of 33_exchange_rates.sql, for which the statement that inserts it has to stand before. */
export function postingBy(
  view: string,
  id: SQL<number>,
): Pick<Posting, "narration" | "customerId" | "lines"> {
  const found = <T>(column: string) =>
    sql<T>`(SELECT ${sql.raw(`${column} FROM ${view}`)} WHERE source_id = ${id})`;
  return { narration: found("narration"), customerId: found("customer_id"), lines: found("lines") };
}

/** The lines that have an amount, as one JSON text with the ids that SQL finds; null where none has. */
export function sidesOf(lines: Posting["lines"]): string | SQL | null {
  if (is(lines, SQL)) return lines;
  const sides = lines.filter(({ debit = 0, credit = 0 }) => debit !== 0 || credit !== 0);
  if (sides.length === 0) return null;
  const known = sides.map(({ account, debit = 0, credit = 0 }) => ({
    ...("found" in account ? {} : account),
    debit,
    credit,
  }));
  const text = JSON.stringify(known);
  const ids = sides.flatMap(({ account }, place) =>
    "found" in account ? [sql`, ${sql.raw(`'$[${place}].id'`)}, ${account.found}`] : [],
  );
  return ids.length === 0 ? text : sql`json_set(${text}${sql.join(ids)})`;
}

/** The lines, bound as one JSON text, each as `line` beside its account, if there is one. */
export function linesOf({ lines, customerId }: Given<Lines>): SQL {
  const keyed = sql`(SELECT id FROM ${accounts} WHERE system_key = line.value ->> '$.key')`;
  const debtor = sql`(SELECT id FROM ${accounts} WHERE ${debtorAccountOf(customerId)})`;
  return sql`json_each(${lines}) line LEFT JOIN ${accounts} ON ${accounts.id} = CASE
    WHEN line.value ->> '$.of' IS NOT NULL THEN ${debtor} ELSE coalesce(line.value ->> '$.id', ${keyed}) END`;
}

/** The entry that a call inserted under `ordinal`, as a condition on `journal_entries`. */
function entryOf({ operation, ordinal }: Given<Entry>): SQL {
  return sql`${journalEntries.operation} = ${operation} AND ${journalEntries.ordinal} = ${ordinal}`;
}

/** Opens the financial year of `date`, where `yearToOpen` gives one. */
export function openFinancialYear(ctx: ReadCtx, date: string): SQL[] {
  const year = yearToOpen(ctx, date);
  return year === null ? [] : [insertYear(year)];
}

/**
 * The financial year of `date` where it is near today (two years back to one ahead). A date further away gets no year, and
 * nothing is posted on it.
 */
export function yearToOpen(ctx: ReadCtx, date: string): Record<"name" | "start" | "end", string> | null {
  const { name, start, end } = financialYearOf(date, ctx.company.country);
  const { from, to } = daysNear(ctx);
  return date < from || date > to ? null : { name, start, end };
}

/** The first and the last day of the financial years that are near today. */
export function daysNear(ctx: ReadCtx): Record<"from" | "to", string> {
  const today = companyToday(ctx);
  const yearIn = (years: number) =>
    financialYearOf(`${Number(today.slice(0, 4)) + years}${today.slice(4)}`, ctx.company.country);
  return { from: yearIn(-YEARS_BACK).start, to: yearIn(YEARS_AHEAD).end };
}

/** The financial year of a date, as numbers have it; null where it was never opened. */
export function periodOf(date: SQL<string>): SQL<string> {
  const { name, startDate, endDate } = financialYears;
  return sql`(SELECT substr(${name}, 3) FROM ${financialYears} WHERE ${date} BETWEEN ${startDate} AND ${endDate})`;
}

/** Whether an open financial year holds `date`. */
export function inOpenFinancialYear(date: string | SQL): SQL {
  const { startDate, endDate, isClosed } = financialYears;
  return sql`EXISTS (
    SELECT 1 FROM ${financialYears} WHERE ${date} BETWEEN ${startDate} AND ${endDate} AND ${isClosed} = 0
  )`;
}
