import { type SQL, sql } from "drizzle-orm";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { numberSeries } from "#tables/core";

const ALWAYS = sql`true`;

const take = keptStatement(
  ({ series, period, when }: Given<{ series: string; period: string; when: SQL }>) =>
    sql`INSERT INTO ${numberSeries} (series, period, last) SELECT ${series}, ${period}, 1 WHERE ${when}
    ON CONFLICT (series, period) DO UPDATE SET last = last + 1`,
);
const taken = keptStatement(
  ({ series, period, prefix }: Given<{ series: string; period: string; prefix: string | SQL }>) =>
    numberText(prefix, period, lastNumber(series, period)),
);

/** The statement that takes the next number of a series in a period; used inside the batch that needs it. */
export function takeNumber(series: string, period: string, when: SQL = ALWAYS): SQL {
  return take({ series, period, when });
}

/** The statement that takes one number of a series for each of `rows`, which is SQL from FROM to WHERE, in its period. */
export function takeNumbers(series: string, period: string | SQL, rows: SQL): SQL {
  return sql`INSERT INTO ${numberSeries} (series, period, last) SELECT ${series}, ${period}, count(*) ${rows} GROUP BY 2
    ON CONFLICT (series, period) DO UPDATE SET last = last + excluded.last`;
}

/** The number just taken: `INV/26-27/00001`. */
export function takenNumber(series: string, period: string, prefix: string | SQL): SQL<string> {
  return taken({ series, period, prefix });
}

/** A number of a period as documents show it, at least five digits wide. */
export function numberText(
  prefix: string | SQL,
  period: string | SQL<string>,
  number: SQL<number>,
): SQL<string> {
  return sql`${prefix} || '/' || ${period} || '/' || printf('%05d', ${number})`;
}

/** The number last taken, as an integer. */
export function lastNumber(series: string | SQL<string>, period: string | SQL<string>): SQL<number> {
  return sql`(SELECT last FROM ${numberSeries} WHERE series = ${series} AND period = ${period})`;
}
