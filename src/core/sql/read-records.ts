import { and, type Column, lt, type SQL, sql } from "drizzle-orm";
import { read } from "#core/write/replay.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import type { CallCtx } from "../context.ts";
import { jsonQuery, parseRows } from "./json.ts";
import { type Given, keptStatement } from "./kept-statements.ts";

// A database server gives no text above 5 MB: this leaves room for one record of the largest size that is accepted.
const PAGE_BYTES = 4_000_000;

/** The one record that `select` finds; 404 when there is none. */
export async function readOne<Row>(ctx: CallCtx, select: SQL<Row>): Promise<Row> {
  const [rows] = await read(ctx, [jsonQuery(ctx, select)]);
  const [record] = parseRows(rows);
  if (record === undefined) throw new Problem("not_found");
  return record;
}

/** All records that `select` finds, of a kind of which no company has many. */
export async function readAll<Row>(ctx: CallCtx, select: SQL<Row>): Promise<Row[]> {
  const [rows] = await read(ctx, [jsonQuery(ctx, asList(select))]);
  return parseRows(rows)[0] ?? [];
}

/** One page of the records that `select` finds; it takes `page.take` rows. A page of large records holds fewer. */
export async function readList<Row>(ctx: CallCtx, page: Page, select: SQL<Row>): Promise<Listed<Row>> {
  const [rows] = await read(ctx, [jsonQuery(ctx, asShares(page, select))]);
  return fitted(ctx, page, select, parseRows(rows)[0]);
}

/** One page of the records of a table, newest first; a condition that is undefined does not count. */
export function readNewest<Row>(
  ctx: CallCtx,
  page: Page,
  { table, select }: { table: { id: Column }; select: (tail: SQL) => SQL<Row> },
  ...conditions: (SQL | undefined)[]
): Promise<Listed<Row>> {
  const which = and(lt(table.id, idBelow(page)), ...conditions);
  return readList(ctx, page, select(sql`${which} ORDER BY ${table.id} DESC LIMIT ${page.take}`));
}

/** One page of the records that belong to another record; 404 when `owner` finds none. */
export async function readListOf<Row>(
  ctx: CallCtx,
  owner: SQL,
  page: Page,
  select: SQL<Row>,
): Promise<Listed<Row>> {
  const [found, rows] = await read(ctx, [ctx.db.all(owner), jsonQuery(ctx, asShares(page, select))]);
  if (found.length === 0) throw new Problem("not_found");
  return fitted(ctx, page, select, parseRows(rows)[0]);
}

/** The verb of a list of what belongs to a record by a column, newest first; 404 where there is no such record. */
export function listNewestOf<Row>(
  owner: Column,
  { table, select }: { table: { id: Column }; select: (tail: SQL) => SQL<Row> },
  column: Column,
) {
  return (ctx: CallCtx, { id }: { id: number }, { page }: { page: Page }): Promise<Listed<Row>> => {
    const found = sql`SELECT 1 FROM ${owner.table} WHERE ${owner} = ${id}`;
    const which = sql`${column} = ${id} AND ${table.id} < ${idBelow(page)}`;
    return readListOf(ctx, found, page, select(sql`${which} ORDER BY ${table.id} DESC LIMIT ${page.take}`));
  };
}

/** A SELECT of one JSON text, the array of what `select` finds: rows and cells cost more to carry than text. */
export function asList<Row>(select: SQL<Row>): SQL<Row[]> {
  return sql`SELECT '[' || ifnull(group_concat(snapshot, ','), '') || ']' AS snapshot FROM (${select})`;
}

/** A page as JSON, with null for each record that is larger than its share; the records that are left fit in one answer. */
function asShares<Row>(page: Page, select: SQL<Row>): SQL<(Row | null)[]> {
  return shares({ select, share: Math.floor(PAGE_BYTES / page.take) }) as SQL<(Row | null)[]>;
}

const shares = keptStatement(({ select, share }: Given<{ select: SQL; share: number }>) =>
  asList(sql`SELECT iif(octet_length(snapshot) > ${share}, 'null', snapshot) AS snapshot FROM (${select})`),
);

/** The page itself or, where a record is larger than its share, as many records as a page has bytes for. */
async function fitted<Row>(
  ctx: CallCtx,
  page: Page,
  select: SQL<Row>,
  shares: readonly (Row | null)[] = [],
): Promise<Listed<Row>> {
  const limit = page.take - 1;
  if (!shares.includes(null)) return { rows: shares.slice(0, limit) as Row[], more: shares.length > limit };
  // A running sum over a page costs as much again as the page; so it is asked for only here.
  const counted = sql`SELECT snapshot, sum(octet_length(snapshot)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (${select})`;
  const fitting = sql<{ rows: Row[]; found: number }>`
    SELECT '{"found":' || count(*) || ',"rows":[' || ifnull(group_concat(snapshot, ',')
      FILTER (WHERE bytes <= ${PAGE_BYTES} OR bytes = octet_length(snapshot)), '') || ']}' AS snapshot
    FROM (${counted})`;
  const [cells] = await read(ctx, [jsonQuery(ctx, fitting)]);
  const [{ rows, found }] = parseRows(cells) as [{ rows: Row[]; found: number }];
  const fits = rows.slice(0, limit);
  return { rows: fits, more: found > fits.length };
}
