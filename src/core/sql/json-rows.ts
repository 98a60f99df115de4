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
  const all: Record<string, { name: string }> = getTableColumns(table);
  const columnOf = (name: string) => sql.identifier(all[name]?.name ?? name);
  const build = (found: readonly string[]) =>
    keptStatement((given: Given<Record<string, string | SQL>>) => {
      const columns = [...found, ...names].map(columnOf);
      const values = [
        ...found.map((name) => sql`${given[name]}`),
        ...names.map((name) => sql.raw(`value ->> '$.${name}'`)),
      ];
      return sql`INSERT INTO ${table} (${sql.join(columns, COMMA)})
      SELECT ${sql.join(values, COMMA)} FROM json_each(${given[ROWS]})`;
    });
  const kept = new Map<string, ReturnType<typeof build>>();
  return (rows, found = {}) => {
    const known = Object.keys(found);
    const statement = kept.get(known.join()) ?? build(known);
    kept.set(known.join(), statement);
    return statement({ ...(found as Record<string, SQL>), [ROWS]: jsonText(rows) });
  };
}

/** Text in the database is UTF-8, which has no half of a surrogate pair. */
function jsonText(rows: readonly unknown[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}
