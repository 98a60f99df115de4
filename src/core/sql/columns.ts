import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

type ColumnsOf<Table extends SQLiteTable> = Table["_"]["columns"];
type NameIn<C> = C extends Column<infer Config> ? Config["name"] : never;
/** What a column holds. */
type DataIn<C> =
  C extends Column<infer Config>
    ? Config["notNull"] extends true
      ? Config["data"]
      : Config["data"] | null
    : never;
type KeyNamed<Table extends SQLiteTable, Name> = {
  [Key in keyof ColumnsOf<Table>]: NameIn<ColumnsOf<Table>[Key]> extends Name ? Key : never;
}[keyof ColumnsOf<Table>];

/** What the columns of a table hold, by the names that they have in SQL and on the wire. */
export type Named<Table extends SQLiteTable> = {
  [Key in keyof ColumnsOf<Table> as NameIn<ColumnsOf<Table>[Key]>]: DataIn<ColumnsOf<Table>[Key]>;
};

/** What a body may send to be stored as it is: members with the names of columns; a boolean is stored as 0 or 1. */
export type Storable<Table extends SQLiteTable> = {
  [Name in keyof Named<Table>]?:
    | Named<Table>[Name]
    | (number extends Named<Table>[Name] ? boolean : never)
    | undefined;
};

type Stored<Value> = Value extends boolean ? number : Value;
/** The columns of these members, by the keys that drizzle knows them by. */
export type StoredColumns<Table extends SQLiteTable, Body> = {
  [Name in keyof Body as KeyNamed<Table, Name> & string]: Stored<Body[Name]>;
};

/** Whether each member of a body is stored in the column of its name. */
type IsStorable<Table extends SQLiteTable, Body, Skipped> =
  Exclude<keyof Body, keyof Named<Table> | Skipped> extends never
    ? Omit<Body, Skipped & keyof Body> extends Storable<Table>
      ? unknown
      : { "a column holds another type": Storable<Table> }
    : { "no column has the name": Exclude<keyof Body, keyof Named<Table> | Skipped> };

/**
 * The columns that the members of a body set; what it leaves out is undefined, so that it stays or gets its default.
 * `skipped` are members that are stored in another way.
 */
export function columnsOf<
  Table extends SQLiteTable,
  Body extends object,
  Skipped extends keyof Body & string = never,
>(
  table: Table,
  body: Body & IsStorable<Table, Body, Skipped>,
  skipped: readonly Skipped[] = [],
): StoredColumns<Table, Omit<Body, Skipped>> {
  const stored = storedColumns(table, body, skipped);
  return stored as StoredColumns<Table, Omit<Body, Skipped>>;
}

/** The same for a body whose members were judged elsewhere. */
export function storedColumns(
  table: SQLiteTable,
  body: object,
  skipped: readonly string[] = [],
): Record<string, unknown> {
  const keys = keysOf(table);
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => !skipped.includes(name))
      .map(([name, value]) => [keys.get(name) ?? name, typeof value === "boolean" ? Number(value) : value]),
  );
}

/** The keys of all columns of a table but some, which get their defaults, and those that the database works out. */
export function columnsBut<Table extends SQLiteTable, Name extends keyof Table["$inferInsert"] & string>(
  table: Table,
  others: readonly Name[],
): readonly Exclude<keyof Table["$inferInsert"] & string, Name>[] {
  const given = Object.entries(getTableColumns(table)).filter(([, { generated }]) => generated === undefined);
  const names = given.map(([name]) => name) as (keyof Table["$inferInsert"] & string)[];
  return names.filter(
    (name): name is Exclude<typeof name, Name> => !(others as readonly string[]).includes(name),
  );
}

/** What an UPDATE sets to empty each column that may be null, but some. */
export function emptied<Table extends SQLiteTable>(table: Table, others: readonly KeyOf<Table>[]): SQL {
  return sql.join(
    nullable(table, others).map(({ name }) => sql`${sql.identifier(name)} = NULL`),
    sql`, `,
  );
}

/** Whether one of the columns that may be null, but some, holds anything. */
export function holdsAny<Table extends SQLiteTable>(table: Table, others: readonly KeyOf<Table>[]): SQL {
  return sql`coalesce(${sql.join(nullable(table, others), sql`, `)}) IS NOT NULL`;
}

type KeyOf<Table extends SQLiteTable> = keyof Table["$inferInsert"];

function nullable<Table extends SQLiteTable>(table: Table, others: readonly KeyOf<Table>[]): Column[] {
  return Object.entries(getTableColumns(table))
    .filter(([key, column]) => !column.notNull && !others.includes(key))
    .map(([, column]) => column);
}

/** The names in SQL of all columns of a table, in their order. */
export function columnNames(table: SQLiteTable): string[] {
  return Object.values(getTableColumns(table)).map(({ name }) => name);
}

/** The column that has a name in SQL. */
export function columnNamed(table: SQLiteTable, name: string): Column {
  const column = getTableColumns(table)[keysOf(table).get(name) ?? name];
  if (column === undefined) throw new Error(`No column has the name ${name}`);
  return column;
}

/** Columns of a table, by the names that they have in SQL: a part of what a SELECT or a `jsonObject` gives. */
export function columnsNamed<Table extends SQLiteTable, Name extends keyof Named<Table> & string>(
  table: Table,
  ...names: readonly Name[]
): { [Each in Name]: ColumnsOf<Table>[KeyNamed<Table, Each>] } {
  const columns = names.map((name) => [name, columnNamed(table, name)]);
  return Object.fromEntries(columns);
}

const kept = new WeakMap<SQLiteTable, ReadonlyMap<string, string>>();

function keysOf(table: SQLiteTable): ReadonlyMap<string, string> {
  const keys =
    kept.get(table) ?? new Map(Object.entries(getTableColumns(table)).map(([key, { name }]) => [name, key]));
  kept.set(table, keys);
  return keys;
}
