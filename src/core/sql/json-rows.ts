import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Given, keptStatement } from "./kept-statements.ts";

const COMMA = sql`, `;
// Beside the names of columns, of which none is this.
const ROWS = "json rows";

type Inserted<Table extends SQLiteTable> = Table["$inferInsert"];
type Named<Table extends SQLiteTable> = Extract<keyof Inserted<Table>, string>;
type Row<Table extends SQLiteTable, Name extends Named<Table>> = {
  [Key in Name as null extends Inserted<Table>[Key] ? never : Key]-?: Inserted<Table>[Key];
} & {
  /** What may be null may be left out too. */
  [Key in Name as null extends Inserted<Table>[Key] ? Key : never]?: Inserted<Table>[Key] | undefined;
};
type Rows<Table extends SQLiteTable, Name extends Named<Table>> = readonly Row<Table, Name>[];
/** What the database finds out by itself, the same for every row. */
type Found<Table extends SQLiteTable, Name extends Named<Table>> = {
  [Key in Exclude<Named<Table>, Name>]?: SQL;
};

/** A SELECT of rows bound as one JSON text: its columns are the fields named, as numbers, text and NULL. */
export function jsonRows<Row, const Name extends Extract<keyof Row, string>>(
  rows: readonly Row[],
  names: readonly Name[],
): SQL {
  const fields = names.map((name) => `value ->> '$.${name}' AS ${name}`).join(", ");
  return sql`SELECT ${sql.raw(fields)} FROM json_each(${jsonText(rows)})`;
}

/**
 * How rows of a table are inserted with one parameter for all of them: a list of 200 lines would bind thousands. `names`
 * are the columns that come with each row. Its text is made once for each choice of what is found out.
 */
export function insertFromJson<Table extends SQLiteTable, const Name extends Named<Table>>(
  table: Table,
  names: readonly Name[],
): (rows: Rows<Table, Name>, found?: Found<Table, Name>) => SQL {
  const members = names.map((name) => sql.raw(`value ->> '$.${name}'`));
  const insert = keptInsert(
    table,
    names,
    (found, given) => sql`SELECT ${sql.join([...found, ...members], COMMA)} FROM json_each(${given[ROWS]})`,
  );
  return (rows, found = {}) => insert(found, { [ROWS]: jsonText(rows) });
}

/** The same of one row, with a parameter for each column: SQLite prepares and runs it in less time. */
export function insertRow<Table extends SQLiteTable, const Name extends Named<Table>>(
  table: Table,
  names: readonly Name[],
): (row: Row<Table, Name>, found?: Found<Table, Name>) => SQL {
  const insert = keptInsert(
    table,
    names,
    (found, given) =>
      sql`VALUES (${sql.join([...found, ...names.map((name) => sql`${given[name]}`)], COMMA)})`,
  );
  return (row, found = {}) => {
    const values: Partial<Record<string, string | number | null>> = row;
    return insert(found, Object.fromEntries(names.map((name) => [name, wellFormed(values[name] ?? null)])));
  };
}

type Bound = Record<string, string | number | null | SQL>;

function keptInsert(
  table: SQLiteTable,
  names: readonly string[],
  source: (found: readonly SQL[], given: Given<Bound>) => SQL,
): (found: Partial<Record<string, SQL>>, values: Bound) => SQL {
  const all: Record<string, { name: string }> = getTableColumns(table);
  const columnOf = (name: string) => sql.identifier(all[name]?.name ?? name);
  const build = (known: readonly string[]) =>
    keptStatement((given: Given<Bound>) => {
      const columns = [...known, ...names].map(columnOf);
      const found = known.map((name) => sql`${given[name]}`);
      return sql`INSERT INTO ${table} (${sql.join(columns, COMMA)})
      ${source(found, given)}`;
    });
  const kept = new Map<string, ReturnType<typeof build>>();
  return (found, values) => {
    const known = Object.keys(found);
    const statement = kept.get(known.join()) ?? build(known);
    kept.set(known.join(), statement);
    return statement({ ...(found as Record<string, SQL>), ...values });
  };
}

function jsonText(rows: readonly unknown[]): string {
  return JSON.stringify(rows, (_, value: unknown) => wellFormed(value));
}

/** Text in the database is UTF-8, which has no half of a surrogate pair. */
function wellFormed<T>(value: T): T | string {
  return typeof value === "string" ? value.toWellFormed() : value;
}
