import { type SQL, sql } from "drizzle-orm";
import { numberSeries } from "./tables.ts";

/** The statement that takes the next number of a series in a period; used inside the batch that needs it. */
export function takeNumber(series: string, period: string, when: SQL = sql`true`): SQL {
  return sql`INSERT INTO ${numberSeries} (series, period, last) SELECT ${series}, ${period}, 1 WHERE ${when}
    ON CONFLICT (series, period) DO UPDATE SET last = last + 1`;
}

/** The statement that takes one number of a series for each of `rows`, which is SQL from FROM on. */
export function takeNumbers(series: string, period: string, rows: SQL): SQL {
  return sql`INSERT INTO ${numberSeries} (series, period, last) SELECT ${series}, ${period}, count(*) ${rows}
    ON CONFLICT (series, period) DO UPDATE SET last = last + excluded.last`;
}

/** The number just taken: `INV/26-27/00001`. */
export function takenNumber(series: string, period: string, prefix: string | SQL): SQL<string> {
  return numberText(prefix, period, lastNumber(series, period));
}

/** A number of a period as documents show it, at least five digits wide. */
export function numberText(prefix: string | SQL, period: string, number: SQL<number>): SQL<string> {
  return sql`${prefix} || '/' || ${period} || '/' || printf('%05d', ${number})`;
}

/** The number last taken, as an integer. */
export function lastNumber(series: string, period: string): SQL<number> {
  return sql`(SELECT last FROM ${numberSeries} WHERE series = ${series} AND period = ${period})`;
}
