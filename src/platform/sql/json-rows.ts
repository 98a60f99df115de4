import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { once } from "./json.ts";

type Inserted<Table extends SQLiteTable> = Table["$inferInsert"];
type Named<Table extends SQLiteTable> = Extract<keyof Inserted<Table>, string>;
type Rows<Table extends SQLiteTable, Name extends Named<Table>> = readonly Required<
  Pick<Inserted<Table>, Name>
>[];
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
 * are the columns that come with each row. The statement's text is made once.
 */
export function insertFromJson<Table extends SQLiteTable, const Name extends Named<Table>>(
  table: Table,
  names: readonly Name[],
): (rows: Rows<Table, Name>, found?: Found<Table, Name>) => SQL {
  const all: Record<string, { name: string }> = getTableColumns(table);
  const columnOf = (name: string) => sql.identifier(all[name]?.name ?? name);
  const columns = once(() => sql.join(names.map(columnOf), sql`, `));
  const fields = once(() => sql.raw(names.map((name) => `value ->> '$.${name}'`).join(", ")));
  return (rows, found = {}) => {
    const [known, values] = [Object.keys(found).map(columnOf), Object.values(found) as SQL[]];
    return sql`INSERT INTO ${table} (${sql.join([...known, columns()], sql`, `)})
      SELECT ${sql.join([...values, fields()], sql`, `)} FROM json_each(${jsonText(rows)})`;
  };
}

/** Text in the database is UTF-8, which has no half of a surrogate pair. */
function jsonText(rows: readonly unknown[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}
