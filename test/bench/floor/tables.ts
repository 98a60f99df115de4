import type { Client, InValue } from "@libsql/client/http";

/** A table as the floor writes it. */
export type Table = {
  name: string;
  columns: string[];
  /** What names a row: its rowid, or the primary key of a table without one. */
  key: string[];
  /** Columns that a unique index holds: what is new in each row. */
  unique: Set<string>;
  /** Columns that name a row of another table. */
  references: { column: string; parent: string; to: string }[];
};
export type Row = Record<string, InValue>;
/** All rows of all tables, by the table's name and then the row's key. */
export type Rows = Map<string, Map<string, Row>>;

type Schema = { name: string; sql: string };

/** The tables of a database in the order in which they were made, without those that an index of words keeps. */
export async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.execute(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'libsql_%'",
  );
  const all = rows as unknown as Schema[];
  const words = all.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql)).map(({ name }) => name);
  const plain = all.filter(({ name }) => !words.some((word) => name === word || name.startsWith(`${word}_`)));
  return Promise.all(plain.map((table) => tableOf(client, table)));
}

async function tableOf(client: Client, { name, sql }: Schema): Promise<Table> {
  const list = async (query: string) => (await client.execute({ sql: query, args: [name] })).rows;
  const columns = await list("SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid");
  const unique = await list(`SELECT i.name FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS i
    WHERE l."unique" = 1 AND i.key = 1 AND i.name IS NOT NULL`);
  const references = await list(
    `SELECT "from", "table", coalesce("to", 'id') AS "to" FROM pragma_foreign_key_list(?)`,
  );
  const keys = columns.filter(({ pk }) => Number(pk) > 0);
  const namesOf = (found: typeof columns) => found.map((row) => String(row.name));
  return {
    name,
    columns: namesOf(columns),
    key: /\bWITHOUT ROWID\b/i.test(sql) ? namesOf(keys) : ["rowid"],
    unique: new Set([keys, unique].flatMap(namesOf)),
    references: references.map((row) => ({
      column: String(row.from),
      parent: String(row.table),
      to: String(row.to),
    })),
  };
}

/** All that the tables hold now. */
export async function rowsOf(client: Client, tables: readonly Table[]): Promise<Rows> {
  const results = await client.batch(
    tables.map(({ name, columns, key }) => {
      const keys = key.map((column, index) => `${column} AS "key ${index}"`);
      return `SELECT ${[...keys, ...columns.map((column) => `"${column}"`)].join(", ")} FROM "${name}"`;
    }),
    "read",
  );
  return new Map(
    tables.map(({ name, key }, index) => {
      const rows = (results[index]?.rows ?? []) as unknown as Row[];
      return [name, new Map(rows.map((row) => [keyOf(row, key), row]))];
    }),
  );
}

function keyOf(row: Row, key: readonly string[]): string {
  return JSON.stringify(key.map((_, index) => row[`key ${index}`]));
}

type Update = { before: Row; after: Row };
/** What a call changed in one table. */
export type Change = { table: Table; inserted: Row[]; updated: Map<string, Update> };

/** What differs between two looks at the tables; throws where a row went, which no call of the benchmark does. */
export function changesOf(tables: readonly Table[], before: Rows, after: Rows): Change[] {
  return tables.flatMap((table) => {
    const old = before.get(table.name) ?? new Map<string, Row>();
    const now = after.get(table.name) ?? new Map<string, Row>();
    const gone = [...old.keys()].filter((key) => !now.has(key));
    if (gone.length > 0) throw new Error(`${gone.length} rows of ${table.name} went`);
    const inserted = [...now].filter(([key]) => !old.has(key)).map(([, row]) => row);
    const updated = new Map<string, Update>();
    for (const [key, row] of now) {
      const was = old.get(key);
      if (was !== undefined && table.columns.some((column) => !isSame(was[column], row[column])))
        updated.set(key, { before: was, after: row });
    }
    return inserted.length + updated.size === 0 ? [] : [{ table, inserted, updated }];
  });
}

/** Whether two values of a column are the same; blobs are compared byte by byte. */
export function isSame(one: InValue | undefined, other: InValue | undefined): boolean {
  if (one instanceof ArrayBuffer && other instanceof ArrayBuffer)
    return Buffer.from(one).equals(Buffer.from(other));
  return one === other;
}
