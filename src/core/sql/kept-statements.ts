import { is, Placeholder, type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect, type SQLiteSelectPrepare } from "drizzle-orm/sqlite-core";
import { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { Query, QueryBuilder } from "#core/database/database.ts";

type Values = Readonly<Record<string, string | number | null | SQL>>;

/** What a statement is built with: each name stands for the value that a call gives under it. */
export type Given<Named extends Values> = { readonly [Name in keyof Named]: SQL<Named[Name]> };

/** A SELECT of drizzle's builder: it knows how its rows are read. */
type Select = Query & {
  getSQL: () => SQL;
  prepare: () => Pick<SQLiteSelectPrepare<never>, "mapResult">;
};

// No SQL text has this character, so a text falls apart where it binds a value.
const VALUE = "\0";

class SplittingDialect extends SQLiteAsyncDialect {
  override escapeParam(): string {
    return VALUE;
  }
}

const splitting = new SplittingDialect();
const dialect = new SQLiteAsyncDialect();
const builder: Pick<QueryBuilder, "select"> = drizzle(refuseAlone);

/**
 * A statement, or a part of one, whose text is built once in an isolate, at its first use; a call only puts its values
 * between the pieces. Throws when `build` binds a value that does not come from `given`, since all calls would share it.
 */
export function keptStatement<Named extends Values, Row>(
  build: (given: Given<Named>) => SQL<Row>,
): (values: Named) => SQL<Row> {
  let kept: ReturnType<typeof split> | undefined;
  return (values) => {
    kept ??= split(build(placeholders<Named>()));
    return sql<Row>(kept.pieces, ...kept.names.map((name) => valueNamed(values, name)));
  };
}

/** A typed SELECT of drizzle's builder, kept as a `keptStatement` is. */
export function keptQuery<Named extends Values, Built extends Select>(
  build: (db: typeof builder, given: Given<Named>) => Built,
): (values: Named) => SQLiteRaw<Built["_"]["result"]> {
  let reader: ReturnType<Select["prepare"]> | undefined;
  const statement = keptStatement<Named, unknown>((given) => {
    const built = build(builder, given);
    reader = built.prepare();
    return built.getSQL();
  });
  return (values) => {
    const filled = statement(values);
    return new SQLiteRaw(
      refuseAlone,
      () => filled,
      "all",
      dialect,
      (rows) => reader?.mapResult(rows, true),
    );
  };
}

function placeholders<Named extends Values>(): Given<Named> {
  return new Proxy({} as Given<Named>, {
    get: (_, name) => sql`${sql.placeholder(String(name))}`,
    ownKeys: () => {
      throw new Error("Take the values of a kept statement by name: the list of all is not known yet");
    },
  });
}

/** The pieces of text between the values, as a template has them, and the names of the values. */
function split(statement: SQL) {
  const { sql: text, params } = splitting.sqlToQuery(statement);
  const names = params.map((param) => {
    if (is(param, Placeholder)) return param.name;
    throw new Error(`A kept statement binds a value that no call gives: ${text.replaceAll(VALUE, "?")}`);
  });
  const pieces = text.split(VALUE);
  return { pieces: Object.assign(pieces, { raw: pieces }), names };
}

function valueNamed(values: Values, name: string) {
  const value = values[name];
  if (value === undefined) throw new Error(`A kept statement was given no value for "${name}"`);
  return value;
}

function refuseAlone(): never {
  throw new Error("A kept query runs only in a batch: Database.read");
}
