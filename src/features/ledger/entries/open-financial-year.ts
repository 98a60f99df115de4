import { type SQL, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { ReadCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { financialYears } from "./tables.ts";

const YEARS_BACK = 2;
const YEARS_AHEAD = 1;

const insertYear = keptStatement(
  ({ name, start, end }: Given<{ name: string; start: string; end: string }>) =>
    sql`INSERT INTO ${financialYears} (name, start_date, end_date) VALUES (${name}, ${start}, ${end})
      ON CONFLICT (name) DO NOTHING`,
);

/**
 * Opens the financial year of `date` where it is near today (two years back to one ahead). A date further away gets no
 * year, and nothing is posted on it.
 */
export function openFinancialYear(ctx: ReadCtx, date: string): SQL[] {
  const year = financialYearOf(date);
  const distance =
    Number(year.start.slice(0, 4)) - Number(financialYearOf(companyToday(ctx)).start.slice(0, 4));
  if (distance < -YEARS_BACK || distance > YEARS_AHEAD) return [];
  return [insertYear({ name: year.name, start: year.start, end: year.end })];
}

/** Whether an open financial year holds `date`. */
export function inOpenFinancialYear(date: string | SQL<string>): SQL {
  const { startDate, endDate, isClosed } = financialYears;
  return sql`EXISTS (
    SELECT 1 FROM ${financialYears} WHERE ${date} BETWEEN ${startDate} AND ${endDate} AND ${isClosed} = 0
  )`;
}
