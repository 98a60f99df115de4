import { type Column, type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "../context.ts";
import { keptStatement } from "./kept-statements.ts";

type Value = Column | SQL<unknown>;
/** What a column or an expression holds. */
export type ValueOf<V> =
  V extends Column<infer Config>
    ? Config["notNull"] extends true
      ? Config["data"]
      : Config["data"] | null
    : V extends SQL<infer T>
      ? T
      : never;

/** What a JSON object built by `jsonObject` holds once parsed. */
export type JsonRow<Shape> = { [Key in keyof Shape]: ValueOf<Shape[Key]> };

/** `json_object('name', column, ...)`: the snapshot of a record, as the database holds it, in one cell. */
export function jsonObject<Shape extends Record<string, Value>>(shape: Shape): SQL<JsonRow<Shape>> {
  const pairs = Object.entries(shape).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  return sql`json_object(${sql.join(pairs, sql`, `)})`;
}

/** The snapshot of what answers with no more than its id, as a delete does. */
export function selectId<Id extends number | string>(id: Id): SQL<{ id: Id }> {
  return sql`SELECT json_object('id', ${id}) AS snapshot`;
}

/** An expression whose text is made once, on first use; for expressions that bind no value. */
export function once<T>(build: () => SQL<T>): () => SQL<T> {
  const kept = keptStatement(build);
  return () => kept({});
}

/** A cell of JSON text that parses to a Row. */
export type JsonCell<Row> = { snapshot: string & { readonly row?: Row } };

/** A query out of a SELECT of one JSON text named `snapshot`: the same that a write ends with. */
export function jsonQuery<Row>(ctx: Pick<ReadCtx, "db">, select: SQL<Row>) {
  return ctx.db.all<JsonCell<Row>>(select);
}

/** The rows of a `jsonQuery`, parsed. */
export function parseRows<Row>(cells: readonly JsonCell<Row>[]): Row[] {
  return cells.map(({ snapshot }) => JSON.parse(snapshot));
}
