import { type Column, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { columnNamed, type Named } from "./columns.ts";
import { jsonObject, once } from "./json.ts";

/** How a stored value goes out: its schema in replies, how it is rendered, and what else than its column is selected. */
export type Kind<Stored, Wire extends z.ZodType> = {
  schema: Wire;
  render: (stored: Stored) => z.input<Wire>;
  read?: (column: Column) => SQL;
};
/** A field whose value has another place than the column of its name. */
export type Placed<Stored, Wire extends z.ZodType> = Kind<Stored, Wire> & { from: Column | SQL<Stored> };

/** A field that rendering adds out of others as they are stored, and of what it is given besides: nothing is selected. */
export type Added<Others, Wire extends z.ZodType, Given = unknown> = {
  schema: Wire;
  add: (stored: Others, given: Given) => z.input<Wire>;
};

/** A field that is selected for what renders or writes the record, and that no answer has. */
export type Internal<Stored> = { internal: (stored: Stored) => unknown; read?: (column: Column) => SQL };

type Field = z.ZodType | Kind<never, z.ZodType> | Added<never, z.ZodType, never> | Internal<never>;
type Fields = Readonly<Record<string, Field>>;
type StoredIn<F> = F extends { internal: (stored: infer Stored) => unknown }
  ? Stored
  : F extends Kind<infer Stored, z.ZodType>
    ? Stored
    : z.input<F>;
type SchemaOf<F> = F extends { schema: infer Wire } ? Wire : F;

type Row<F> = {
  [Name in keyof F as F[Name] extends { add: unknown } ? never : Name]: StoredIn<F[Name]>;
};
/** What the snapshot of a record holds once parsed. */
export type RowOf<Described extends { render: (row: never, given: never) => unknown }> = Parameters<
  Described["render"]
>[0];
type WireOf<F> = z.ZodObject<
  {
    -readonly [Name in keyof F as F[Name] extends { internal: unknown } ? never : Name]: SchemaOf<F[Name]> &
      z.ZodType;
  },
  z.core.$strip
>;

type Asked<F> = F extends { add: (stored: never, given: infer Given) => unknown }
  ? unknown extends Given
    ? never
    : (given: Given) => void
  : never;
/** What rendering is given besides the row: all that the fields ask for; nothing where none asks. */
type GivenTo<F> = [Asked<F[keyof F]>] extends [never]
  ? []
  : [Asked<F[keyof F]>] extends [(given: infer Given) => void]
    ? [given: Given]
    : never;

/** Each field has a place of its own, or a column of its name that holds what the field takes. */
type Placeable<Table extends SQLiteTable, F> = {
  [Name in keyof F]: F[Name] extends { from: unknown } | { read: unknown }
    ? F[Name]
    : F[Name] extends { add: (stored: infer Others, given: never) => unknown }
      ? Row<F> extends Others
        ? F[Name]
        : { "it is added out of fields that are not there": Others }
      : Name extends keyof Named<Table>
        ? Named<Table>[Name] extends StoredIn<F[Name]>
          ? F[Name]
          : { "the column holds another type": Named<Table>[Name] }
        : { "no column has the name": Name };
};

/** A record as data: what is selected, the schema of what goes out, and how one becomes the other. */
export type TableRecord<Table extends SQLiteTable, F> = {
  readonly table: Table;
  readonly schema: WireOf<F>;
  /** The JSON object of one row, an expression without values. */
  readonly columns: () => SQL<Row<F>>;
  /** The SELECT of records that are not deleted; `tail` goes on after WHERE. */
  readonly select: (tail: SQL) => SQL<Row<F>>;
  readonly render: (row: Row<F>, ...given: GivenTo<F>) => z.input<WireOf<F>>;
  /** The record with some of its fields only. */
  readonly pick: <Name extends keyof F & string>(...names: Name[]) => TableRecord<Table, Pick<F, Name>>;
  /** The record without some of its fields. */
  readonly omit: <Name extends keyof F & string>(...names: Name[]) => TableRecord<Table, Omit<F, Name>>;
};

/**
 * Describes a record of a table, each field once; a row whose `deletedAt` is set is none. `id` names it in the document,
 * `joined` is what follows FROM where its fields are of other tables too.
 */
export function record<Table extends SQLiteTable, const F extends Fields>(
  table: Table,
  fields: F & Placeable<Table, F>,
  id?: string,
  joined?: () => SQL,
): TableRecord<Table, F> {
  return describe<Table, F>(table, fields, id, joined);
}

function describe<Table extends SQLiteTable, F extends Fields>(
  table: Table,
  fields: F,
  id?: string,
  joined: () => SQL = () => sql`${table}`,
): TableRecord<Table, F> {
  const all = Object.entries<Field>(fields);
  const shown = all.filter(([, field]) => !("internal" in field));
  const schemas = shown.map(([name, field]) => [name, "schema" in field ? field.schema : field]);
  const rendered = all.flatMap(([name, field]) =>
    "render" in field ? [{ name, render: field.render }] : [],
  );
  const added = all.flatMap(([name, field]) => ("add" in field ? [{ name, add: field.add }] : []));
  const internal = all.flatMap(([name, field]) => ("internal" in field ? [name] : []));
  const stored = all.filter(([, field]) => !("add" in field));
  // Object.fromEntries forgets which field belongs to which name.
  const schema = z.object(Object.fromEntries(schemas)) as WireOf<F>;
  const columns = once(
    () => jsonObject(Object.fromEntries(stored.map((field) => placeOf(table, field)))) as SQL<Row<F>>,
  );
  const source = once(() => {
    const deletedAt = getTableColumns(table).deletedAt;
    return deletedAt === undefined
      ? sql<Row<F>>`SELECT ${columns()} AS snapshot FROM ${joined()} WHERE`
      : sql<Row<F>>`SELECT ${columns()} AS snapshot FROM ${joined()} WHERE ${isNull(deletedAt)} AND`;
  });
  return {
    table,
    schema: id === undefined ? schema : schema.meta({ id }),
    columns,
    select: (tail) => sql`${source()} ${tail}`,
    render(row, ...given) {
      const wire: Record<string, unknown> = { ...row };
      for (const name of internal) wire[name] = undefined;
      for (const { name, render } of rendered) wire[name] = render(wire[name] as never);
      for (const { name, add } of added) wire[name] = add(row as never, given[0] as never);
      return wire as z.input<WireOf<F>>;
    },
    pick: <Name extends keyof F & string>(...names: Name[]) =>
      describe(
        table,
        Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, Name>,
        undefined,
        joined,
      ),
    omit: <Name extends keyof F & string>(...names: Name[]) => {
      const kept = all.filter(([name]) => !(names as readonly string[]).includes(name));
      return describe(table, Object.fromEntries(kept) as Omit<F, Name>, undefined, joined);
    },
  };
}

function placeOf(table: SQLiteTable, [name, field]: [string, Field]): [string, Column | SQL<unknown>] {
  if ("from" in field) return [name, (field as Placed<never, z.ZodType>).from];
  const column = columnNamed(table, name);
  return [name, "read" in field && field.read !== undefined ? field.read(column) : column];
}
