export type FinancialYear = { name: string; short: string; start: string; end: string };

/** The months in which financial years start; where none is named, in April as in India. */
const FIRST_MONTHS: Readonly<Record<string, number>> = { AU: 7 };

/** The month (1 to 12) in which the financial year of a company in this country starts. */
export function firstMonthOf(country: string): number {
  return FIRST_MONTHS[country] ?? 4;
}

/**
 * The financial year of a `YYYY-MM-DD` date in a country (India: 1 April to 31 March): name `2026-27`, short `26-27`,
 * first and last date.
 */
export function financialYearOf(date: string, country: string): FinancialYear {
  const month = firstMonthOf(country);
  const startYear = Number(date.slice(0, 4)) - Number(Number(date.slice(5, 7)) < month);
  const endYear = startYear + 1;
  const name = `${startYear}-${String(endYear).slice(2)}`;
  const last = new Date(Date.UTC(endYear, month - 1, 0)).toISOString().slice(0, 10);
  return {
    name,
    short: name.slice(2),
    start: `${startYear}-${String(month).padStart(2, "0")}-01`,
    end: last,
  };
}
