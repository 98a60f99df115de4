import { and, type Column, eq, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { dayStart } from "#core/calendar.ts";
import type { ChangeQuery, CreatedQuery, DayQuery } from "#shared/fields/list-filters.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import { addDays } from "#shared/time/dates.ts";
import { recordChanges } from "#tables/core";
import type { CallCtx, ReadCtx } from "../context.ts";
import { columnNamed, type Named } from "./columns.ts";
import { hasExternalId } from "./external-id.ts";
import { readList } from "./read-records.ts";

const COMMA = sql`, `;
const PER_MS = 1_000;
const ABOVE_EVERY_TIME = Number.MAX_SAFE_INTEGER;
const AFTER_EVERY_DATE = "3000-01-01";

/** What a list is of. `updatedAt`: the time of the last change, if no column; `select`: the records that meet a condition. */
export type Narrowed<Row> = {
  resource: ResourceName;
  table: { id: Column; updatedAt?: Column };
  updatedAt?: SQL<number>;
  select: (condition: SQL) => SQL<Row>;
};
/** A row with its place in a list that is in another order than that of ids. */
export type Placed<Row> = Row & { listed_at?: number };
/**
 * From a bound on, and before another. `place`: where a cursor has the column's last value. `second`: what orders the many
 * rows of one day, for SQLite takes no id of a row for the second part of a key.
 */
export type Range = {
  column: Column;
  from: string | number;
  before: string | number;
  place?: number;
  second?: Column | undefined;
};

/** A page by the order of changes or of a range, if the query asks for one; else the newest first. */
export function readNarrowed<Row>(
  ctx: CallCtx,
  list: Narrowed<Row>,
  { page, external_id: externalId, ...query }: ChangeQuery & { page: Page; external_id?: string | undefined },
  ranges: readonly (Range | undefined)[],
  ...conditions: (SQL | undefined)[]
): Promise<Listed<Placed<Row>>> {
  const own = hasExternalId(list.resource, list.table.id, externalId);
  const [leading, ...others] = ranges.filter((range) => range !== undefined);
  const which = and(...others.map(within), own, ...conditions);
  if (isByChange(query)) {
    const ranged = leading && within(leading);
    return readByChange(ctx, list, { page, ...query }, and(ranged, which));
  }
  return readRange(ctx, page, list, leading, which) as Promise<Listed<Placed<Row>>>;
}

/** A page by the order of a range, the latest first; without one by ids. */
export function readRange<Row>(
  ctx: CallCtx,
  page: Page,
  { table: { id }, select }: Pick<Narrowed<Row>, "table" | "select">,
  range: Range | undefined,
  ...conditions: (SQL | undefined)[]
): Promise<Listed<Row>> {
  const order = (range === undefined ? [id] : keyOf(range, id)).map((column) => sql`${column} DESC`);
  const after = range === undefined ? lt(id, idBelow(page)) : afterIn(range, id, page);
  const tail = sql`${and(after, ...conditions)} ORDER BY ${sql.join(order, COMMA)} LIMIT ${page.take}`;
  return readList(ctx, page, select(tail));
}

/** The verb of a list that a `DayQuery` narrows: newest first, or by its days, the latest first. */
export function listByDays<Row>(
  list: Pick<Narrowed<Row>, "table" | "select">,
  days: { column: Column; second: Column },
) {
  return (ctx: CallCtx, _params: unknown, { page, ...asked }: DayQuery & { page: Page }) =>
    readRange(ctx, page, list, datedIn(days, asked));
}

/** Whether a list goes by the order of changes. */
export function isByChange({ sort, updated_since: since }: ChangeQuery): boolean {
  return sort === "updated" || since !== undefined;
}

/** A page by the order of changes. A record that changes meanwhile comes again, later. */
export function readByChange<Row>(
  ctx: CallCtx,
  { resource, table, updatedAt = sql`${table.updatedAt}`, select }: Narrowed<Row>,
  { page, updated_since: since }: ChangeQuery & { page: Page },
  which: SQL | undefined,
): Promise<Listed<Placed<Row>>> {
  const { resource: kind, number, recordId } = recordChanges;
  const [last, lastId] =
    page.after === null ? [(since ?? 0) * PER_MS, ""] : [page.after[0], page.after.at(-1)];
  const changed = since === undefined ? undefined : sql`${updatedAt} >= ${since}`;
  const record = select(sql`${and(sql`${table.id} = ${recordId}`, changed, which)}`);
  // With a limit of its own, the inner SELECT is left as it is, and ends where the outer one does.
  const rows = sql<
    Placed<Row>
  >`SELECT '{"listed_at":' || number || ',' || substr(snapshot, 2) AS snapshot FROM (
      SELECT ${number} AS number, (${record}) AS snapshot FROM ${recordChanges}
      WHERE ${kind} = ${resource} AND (${number}, ${recordId}) > (${last}, ${String(lastId)})
      ORDER BY ${number}, ${recordId} LIMIT -1
    ) WHERE snapshot IS NOT NULL LIMIT ${page.take}`;
  return readList(ctx, page, rows);
}

/** What a query asks for by these of its members, each of them the column of its name. */
export function equalTo<Table extends SQLiteTable, Name extends keyof Named<Table> & string>(
  table: Table,
  query: { readonly [Member in Name]?: Named<Table>[Member] | undefined },
  ...names: Name[]
): SQL | undefined {
  const asked = names.filter((name) => query[name] !== undefined);
  return and(...asked.map((name) => eq(columnNamed(table, name), query[name])));
}

/** The rows of a range, as a condition. */
export function within({ column, from, before }: Range): SQL {
  return sql`${column} >= ${from} AND ${column} < ${before}`;
}

function keyOf({ column, second }: Range, id: Column): Column[] {
  return second === undefined ? [column, id] : [column, second, id];
}

function afterIn(range: Range, id: Column, { after }: Page): SQL {
  const key = keyOf(range, id);
  const [first, ...rest] =
    after === null ? [range.before, 0, 0] : [after[range.place ?? 0], ...after.slice(1 - key.length)];
  const last = [first, ...rest].slice(0, key.length).map((value) => sql`${value}`);
  return sql`${range.column} >= ${range.from} AND (${sql.join(key, COMMA)}) < (${sql.join(last, COMMA)})`;
}

/** The records that were made in a span of time, if the query names one. Throws 422 for days that are out of order. */
export function createdIn(
  { company: { timezone } }: ReadCtx,
  column: Column,
  { created_from: first, created_to: last }: CreatedQuery,
): Range | undefined {
  if (first === undefined && last === undefined) return undefined;
  // Days, as the time between two instants that are out of order is none.
  if (typeof first === "string" && typeof last === "string" && last < first)
    throw fieldProblem("created_to", "too_small", "must not be before created_from");
  const from = typeof first === "string" ? dayStart(first, timezone) : (first ?? 0);
  const before = typeof last === "string" ? dayStart(addDays(last, 1), timezone) : (last ?? ABOVE_EVERY_TIME);
  return { column, from, before };
}

/** The records of some days, the last included, if one is named. Throws 422 as `createdIn` does. */
export function datedIn(
  { column, second, name, place = 0 }: { column: Column; second?: Column; name?: string; place?: number },
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Range | undefined {
  if (from === undefined && to === undefined) return undefined;
  const prefix = name === undefined ? "" : `${name}_`;
  if (from !== undefined && to !== undefined && to < from)
    throw fieldProblem(`${prefix}to`, "too_small", `must not be before ${prefix}from`);
  return {
    column,
    second,
    place,
    from: from ?? "",
    before: to === undefined ? AFTER_EVERY_DATE : addDays(to, 1),
  };
}
