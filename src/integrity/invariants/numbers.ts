import { getTableName } from "drizzle-orm";
import { numberGaps } from "#tables/core";

const GAPS = getTableName(numberGaps);
// A document's number is its prefix, the financial year as 26-27, and the place in the series: INV/26-27/00001.
const digits = "'0123456789'";

/** The place in its series that a number ends with. */
const placeOf = (number: string) =>
  `CAST(substr(${number}, length(rtrim(${number}, ${digits})) + 1) AS INTEGER)`;

/** The financial year in a document's number, as `26-27`. */
export const yearInNumber = (number: string) => `substr(rtrim(${number}, ${digits}), -6, 5)`;

/** The company's financial year of a date, as `2026-27`. */
export function yearOfDate(date: string): string {
  const start = `(CAST(substr(${date}, 1, 4) AS INTEGER) - (
    CAST(substr(${date}, 6, 2) AS INTEGER) < (SELECT financial_year_month FROM profile)))`;
  return `(${start} || '-' || substr(${start} + 1, 3))`;
}

/** `erased` names the series that counts the documents of a period that the hourly jobs erased. */
type Series = { series: string; table: string; number: string; period?: string; erased?: string };

/**
 * Finds the periods of a series whose numbers have a gap that is not noted or occur twice, or whose counter is not at
 * the last one.
 */
export function unnumbered({
  series,
  table,
  number,
  period = yearInNumber(number),
  erased = "",
}: Series): string {
  const places = `SELECT ${period} AS period, ${placeOf(number)} AS place FROM ${table}`;
  // Where no gap is noted, the documents are gone through once: CROSS JOIN begins with the gaps.
  return `
    WITH given AS (
      SELECT period, count(*) AS documents, count(DISTINCT place) AS places, max(place) AS last
      FROM (${places}) GROUP BY period
    ), gone AS (SELECT period, last AS documents FROM number_series WHERE series = '${erased}'),
    gaps AS (
      SELECT period, sum(through - after) AS missing, max(through) AS last
      FROM ${GAPS} WHERE series = '${series}' GROUP BY period
    ), counters AS (SELECT period, last FROM number_series WHERE series = '${series}')
    SELECT given.period FROM given LEFT JOIN gone ON gone.period = given.period
    LEFT JOIN gaps ON gaps.period = given.period LEFT JOIN counters ON counters.period = given.period
    WHERE given.documents <> places OR max(given.last, coalesce(gaps.last, 0)) > counters.last
      OR given.documents + coalesce(gone.documents, 0) + coalesce(missing, 0) IS NOT counters.last
    UNION ALL
    SELECT counters.period FROM counters LEFT JOIN gone ON gone.period = counters.period
    LEFT JOIN gaps ON gaps.period = counters.period
    WHERE counters.period NOT IN (SELECT period FROM given)
      AND (counters.last <> coalesce(gone.documents, 0) + coalesce(missing, 0) OR gaps.last > counters.last)
    UNION ALL
    SELECT gap.period FROM ${GAPS} gap CROSS JOIN (${places}) given ON given.period = gap.period
    WHERE series = '${series}' AND place > after AND place <= through`;
}
