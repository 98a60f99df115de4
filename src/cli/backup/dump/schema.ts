import { Failure } from "../../failure.ts";
import { named, type Reader } from "./values.ts";

/** A table whose rows are copied; `key` is what orders them, `columns` are those that are not computed. */
export type Table = { name: string; sql: string; columns: string[]; key: string[]; parents: string[] };

/** What a database is made of, in the order in which it can be made again. */
export type Schema = { tables: Table[]; indexes: string[]; searches: Search[]; triggers: string[] };

/** A full-text table that keeps no content of its own, and the statement that fills it. */
type Search = { name: string; sql: string; fill: string };
type SchemaObject = { type: string; name: string; sql: string; table: string };

/** Reads what the database is made of. Throws a Failure where a full-text table has no trigger that fills it. */
export async function readSchema(reader: Reader): Promise<Schema> {
  const rows = await reader.all("SELECT type, name, sql, tbl_name FROM sqlite_schema ORDER BY rowid");
  const all = rows
    .map(([type, name, sql, table]) => ({ type, name, sql, table }) as SchemaObject)
    .filter(({ sql, name }) => sql !== null && !/^(?:sqlite|libsql)_/.test(name));
  const virtual = all.filter(({ sql }) => /^CREATE VIRTUAL TABLE/i.test(sql));
  const isInside = ({ name }: SchemaObject) => virtual.some((search) => name.startsWith(`${search.name}_`));
  const ofType = (type: string) => all.filter((object) => object.type === type);
  const plain = ofType("table").filter((table) => !virtual.includes(table) && !isInside(table));
  const triggers = ofType("trigger");
  const tables = await readTables(reader, plain);
  return {
    tables: parentsFirst(tables),
    indexes: ofType("index").map(({ sql }) => sql),
    searches: virtual.map(({ name, sql }) => ({ name, sql, fill: fillOf(name, triggers) })),
    triggers: [...ofType("view"), ...triggers].map(({ sql }) => sql),
  };
}

/** Reads the columns and parents of all tables together: a request for each table would make a backup slow. */
async function readTables(reader: Reader, plain: readonly SchemaObject[]): Promise<Table[]> {
  const columns =
    await reader.all(`SELECT t.name, c.name, c.pk FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c
    WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND c.hidden = 0 ORDER BY t.name, c.cid`);
  const parents = await reader.all(`SELECT DISTINCT t.name, f."table"
    FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
    WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'`);
  const columnsOf = Map.groupBy(columns, ([table]) => String(table));
  const parentsOf = Map.groupBy(parents, ([table]) => String(table));
  return plain.map(({ name, sql }) => {
    const own = columnsOf.get(name) ?? [];
    const primary = own.filter(([, , place]) => Number(place) > 0);
    const ordered = primary.toSorted(([, , one], [, , other]) => Number(one) - Number(other));
    const above = (parentsOf.get(name) ?? []).map(([, parent]) => String(parent));
    return {
      name,
      sql,
      columns: own.map(([, column]) => String(column)),
      key: /WITHOUT\s+ROWID\s*[,;]?[^)]*$/i.test(sql)
        ? ordered.map(([, column]) => String(column))
        : ["rowid"],
      parents: above.filter((parent) => parent !== name),
    };
  });
}

/** The tables in an order in which a row comes after those that it refers to, as far as there is one. */
function parentsFirst(tables: readonly Table[]): Table[] {
  const placed = new Set<Table>();
  const place = (table: Table, below: readonly Table[]) => {
    if (placed.has(table) || below.includes(table)) return;
    for (const parent of tables.filter(({ name }) => table.parents.includes(name)))
      place(parent, [...below, table]);
    placed.add(table);
  };
  for (const table of tables) place(table, []);
  return [...placed];
}

/** What a trigger does for one changed row, for all rows at once: its last INSERT, with the table in the place of NEW. */
function fillOf(name: string, triggers: readonly SchemaObject[]): string {
  const filling = triggers.filter(({ sql }) => new RegExp(`INSERT INTO ${name}\\b`).test(sql));
  const trigger = filling.find(({ sql }) => /AFTER UPDATE/.test(sql)) ?? filling[0];
  const insertion = new RegExp(
    `INSERT INTO ${name} *(\\([^()]*\\))\\s*(?:VALUES \\(([^;]*)\\)|SELECT ([^;]*?)(WHERE [^;]*)?);`,
  ).exec(trigger?.sql ?? "");
  if (trigger === undefined || insertion === null)
    throw new Failure(`The full-text table ${name} has no trigger that fills it`);
  const [, columns, values, selected = values, condition = ""] = insertion;
  return `INSERT INTO ${name} ${columns} SELECT ${selected?.trim()} FROM ${named(trigger.table)} AS NEW ${condition}`.trim();
}
