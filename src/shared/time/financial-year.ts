export type FinancialYear = { name: string; short: string; start: string; end: string };

/** The Indian financial year (1 April to 31 March) of a `YYYY-MM-DD` date: name `2026-27`, short `26-27`, first and last date. */
export function financialYearOf(date: string): FinancialYear {
  const beforeApril = date.slice(5, 7) < "04";
  const startYear = Number(date.slice(0, 4)) - (beforeApril ? 1 : 0);
  const endYear = startYear + 1;
  const name = `${startYear}-${String(endYear).slice(2)}`;
  return { name, short: name.slice(2), start: `${startYear}-04-01`, end: `${endYear}-03-31` };
}
