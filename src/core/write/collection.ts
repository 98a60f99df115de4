import { type Column, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import { type Storable, storedColumns } from "#core/sql/columns.ts";
import { selectId } from "#core/sql/json.ts";
import { readNewest, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import type { CallCtx, WriteCtx } from "../context.ts";
import { atomic, type Refusals, refuseIfNone, refuseWhen } from "./atomic.ts";

/** What a body may leave out. */
export type Some<Body> = { [Name in keyof Body]?: Body[Name] | undefined };

type Kept = SQLiteTable & {
  id: Column;
  operation?: Column;
  createdAt?: Column;
  updatedAt?: Column;
  deletedAt?: Column;
};

type RecordSettings<Table extends Kept, Row> = {
  record: { table: Table; select: (tail: SQL) => SQL<Row> };
  /** Whether another record refers to this one, which then cannot be removed. */
  usedBy?: (id: number, ctx: WriteCtx) => SQL;
};
type Settings<Table extends Kept, Row, Body> = RecordSettings<Table, Row> & {
  create: z.ZodType<Body>;
  /** Which row a create made, where its table has no column `operation`. */
  made?: (body: Body) => SQL;
  /** Statements before the row is written; `id` is that of a change. */
  guards?: (body: Some<Body>, id: number | undefined, ctx: WriteCtx) => SQLWrapper[];
  refusals?: Refusals | ((body: Some<Body>) => Refusals);
};

/** How a body becomes columns; may be left out where each of its members has the name of its column. */
type Columns<Table extends Kept, Body> =
  Body extends Storable<Table>
    ? Exclude<keyof Body, keyof Storable<Table>> extends never
      ? { columns?: ToColumns<Table, Body> }
      : { columns: ToColumns<Table, Body> }
    : { columns: ToColumns<Table, Body> };
type ToColumns<Table extends Kept, Body> = (
  body: Some<Body>,
  isNew: boolean,
) => { [Key in keyof Table["$inferInsert"]]?: Table["$inferInsert"][Key] | SQL | undefined };

/** The verbs that list, read and remove the records of a collection; those that write are its own. */
export function recordVerbs<Table extends Kept, Row>({ record, usedBy }: RecordSettings<Table, Row>) {
  const { select } = record;
  const table: Kept = record.table;
  return {
    /** A page of them, newest first. */
    list: (ctx: CallCtx, _params: unknown, { page }: { page: Page }): Promise<Listed<Row>> =>
      readNewest(ctx, page, { table, select }),
    get: (ctx: CallCtx, { id }: RecordParams): Promise<Row> => readOne(ctx, select(eq(table.id, id))),
    remove(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
      const removal =
        table.deletedAt === undefined
          ? ctx.db.delete(table)
          : ctx.db.update(table).set({ deletedAt: ctx.now, updatedAt: ctx.now });
      const unused = usedBy === undefined ? [] : [refuseWhen(usedBy(id, ctx), "in_use")];
      return atomic(
        ctx,
        [...unused, removal.where(live(table, id)), refuseIfNone("not_found")],
        selectId(id),
      );
    },
  };
}

/** The five verbs of a collection that a company keeps. */
export function collectionVerbs<Table extends Kept, Row, Body>(
  settings: Settings<Table, Row, Body> & Columns<Table, Body>,
) {
  const { select } = settings.record;
  const table: Kept = settings.record.table;
  const { made, guards = () => [], refusals = {} } = settings;
  const refusalsOf = (body: Some<Body>) => (typeof refusals === "function" ? refusals(body) : refusals);
  const columns: (body: Some<Body>, isNew: boolean) => object =
    settings.columns ?? ((body) => storedColumns(table, body));
  return {
    ...recordVerbs(settings),
    create(ctx: WriteCtx, _params: unknown, body: Body): Promise<Row> {
      const row = { ...columns(body, true), operation: ctx.call.id, createdAt: ctx.now, updatedAt: ctx.now };
      const here = table.operation === undefined ? made?.(body) : eq(table.operation, ctx.call.id);
      if (here === undefined) throw new Error("A collection needs `made`, or a column `operation`");
      return atomic(
        ctx,
        [...guards(body, undefined, ctx), ctx.db.insert(table).values(row)],
        select(here),
        refusalsOf(body),
      );
    },
    update(ctx: WriteCtx, { id }: RecordParams, patch: Some<Body>): Promise<Row> {
      const set = ctx.db.update(table).set({ ...columns(patch, false), updatedAt: ctx.now });
      return atomic(
        ctx,
        [...guards(patch, id, ctx), set.where(live(table, id)), refuseIfNone("not_found")],
        select(eq(table.id, id)),
        refusalsOf(patch),
      );
    },
  };
}

function live({ id: key, deletedAt }: Kept, id: number): SQL {
  return deletedAt === undefined ? eq(key, id) : sql`${eq(key, id)} AND ${isNull(deletedAt)}`;
}
