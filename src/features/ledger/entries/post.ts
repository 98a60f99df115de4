import { type SQL, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { ReadCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { accounts, financialYears, type unposted } from "#tables/ledger";
import { debtorAccountOf } from "../accounts/debtor-account.ts";

/** One side of an entry, in minor units, on an account of the service by its system key, on any by its id, or the customer's. */
type Side = {
  of?: "customer";
  id?: number;
  key?: string;
  debit?: number | undefined;
  credit?: number | undefined;
};

type Lines = { lines: string | SQL; customerId: number | SQL };
export type Year = Record<"name" | "start" | "end", string>;

const YEARS_BACK = 2;
const YEARS_AHEAD = 1;

/** The views of 33_exchange_rates.sql that say what documents of a type post. */
export const POSTINGS = {
  invoice: "postings_of_invoices",
  payment: "postings_of_payments",
  advance: "postings_of_advances",
  credit_note: "postings_of_credit_notes",
  credit_payout: "postings_of_payouts",
  gateway_refund: "postings_of_refunds",
  lesson_receipt: "postings_of_receipts",
  lesson: "postings_of_lessons",
} as const satisfies Record<(typeof unposted.$inferSelect)["sourceType"], string>;
export const KINDS = Object.entries(POSTINGS).map(
  ([type, view]) => [sql.raw(`'${type}'`), sql.raw(view)] as const,
);

/** What its view says of the document that a row names by `source_type` and `source_id`. */
export function saidOf<T>(row: SQL, value: SQL): SQL<T> {
  const arms = KINDS.map(
    ([type, view]) =>
      sql`WHEN ${type} THEN (SELECT ${value} FROM ${view} AS posting WHERE posting.source_id = ${row}.source_id)`,
  );
  return sql<T>`CASE ${row}.source_type ${sql.join(arms, sql` `)} END`;
}

const insertYear = keptStatement(
  ({ name, start, end }: Given<{ name: string; start: string; end: string }>) =>
    sql`INSERT INTO ${financialYears} (name, start_date, end_date) VALUES (${name}, ${start}, ${end})
      ON CONFLICT (name) DO NOTHING`,
);
/** The columns of an entry that is posted whole, by one INSERT. */
export const POSTING =
  sql.raw(`operation, ordinal, period, entry_date, voucher_type, source_type, source_id, narration,
  created_at, year_name, year_start, year_end, customer_id, lines`);

/** A document that no view is asked for: its id, what its entry is about, the sides that have an amount, and its customer. */
export function documentOf(
  sourceId: SQL<number>,
  narration: string | SQL,
  sides: readonly Side[],
  { customerId = null, currency = null }: { customerId?: number | SQL | null; currency?: string | null } = {},
): SQL {
  const all = sides.map((side) => ({ debit: 0, credit: 0, ...side }));
  const lines = JSON.stringify(all.filter(({ debit, credit }) => debit !== 0 || credit !== 0));
  return sql`SELECT ${sourceId} AS id, ${currency} AS currency, ${narration} AS narration, ${customerId} AS customer_id,
    ${lines} AS lines`;
}

/** The lines, bound as one JSON text, each as `line` beside its account, if there is one. */
export function linesOf({ lines, customerId }: Given<Lines>): SQL {
  const keyed = sql`(SELECT id FROM ${accounts} WHERE system_key = line.value ->> '$.key')`;
  const debtor = sql`(SELECT id FROM ${accounts} WHERE ${debtorAccountOf(customerId)})`;
  return sql`json_each(${lines}) line LEFT JOIN ${accounts} ON ${accounts.id} = CASE
    WHEN line.value ->> '$.of' IS NOT NULL THEN ${debtor} ELSE coalesce(line.value ->> '$.id', ${keyed}) END`;
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
export function yearToOpen(ctx: ReadCtx, date: string): Year | null {
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
