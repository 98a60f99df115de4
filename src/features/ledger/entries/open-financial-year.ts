import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { companyToday } from "#platform/calendar.ts";
import type { ReadCtx } from "#platform/context.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { financialYears } from "./tables.ts";

const YEARS_BACK = 2;
const YEARS_AHEAD = 1;

/**
 * Opens the financial year of `date` where it is near today (two years back to one ahead). A date further away gets no
 * year, and nothing is posted on it.
 */
export function openFinancialYear(ctx: ReadCtx, date: string): SQLWrapper[] {
  const year = financialYearOf(date);
  const distance =
    Number(year.start.slice(0, 4)) - Number(financialYearOf(companyToday(ctx)).start.slice(0, 4));
  if (distance < -YEARS_BACK || distance > YEARS_AHEAD) return [];
  return [
    ctx.db
      .insert(financialYears)
      .values({ name: year.name, startDate: year.start, endDate: year.end })
      .onConflictDoNothing({ target: financialYears.name }),
  ];
}

/** Whether an open financial year holds `date`. */
export function inOpenFinancialYear(date: string): SQL {
  const { startDate, endDate, isClosed } = financialYears;
  return sql`EXISTS (
    SELECT 1 FROM ${financialYears} WHERE ${date} BETWEEN ${startDate} AND ${endDate} AND ${isClosed} = 0
  )`;
}
