import { getTableName, type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { COMPANY_SEALS } from "../../../../mount/seals.ts";
import type { Reader, Value } from "../dump/values.ts";
import { hasMasterKey, isOfAnother, keyMissingFor, open, seal } from "./seals.ts";

type Sealed = { row: Value; field: string; value: string };
type Place = {
  select: SQL;
  update: (secret: string, row: Value) => SQL;
  field: string;
  column: SQLiteColumn;
  table: string;
};

const dialect = new SQLiteAsyncDialect();

/** Seals a company's secrets for the name that it has now; they were sealed for another. Gives how many. */
export async function reseal(stream: Reader, from: string, to: string): Promise<number> {
  let resealed = 0;
  for (const place of places())
    for (const { row, field, value } of await sealedAt(stream, place)) {
      const secret = seal(to, field, open(from, field, value));
      await stream.all(dialect.sqlToQuery(place.update(secret, row)).sql, [secret, row]);
      resealed += 1;
    }
  return resealed;
}

/** A line for each column whose secrets were sealed for another company than this, as far as MASTER_KEY tells. */
export async function foreignSeals(reader: Reader, company: string): Promise<string[]> {
  const problems: string[] = [];
  for (const place of places()) {
    const sealed = await sealedAt(reader, place);
    if (sealed.some(({ field, value }) => isOfAnother(company, field, value)))
      problems.push(`What ${place.column.name} holds was not sealed for company ${company}`);
  }
  return problems;
}

/** A line for each column and key where something is sealed with a master key that is not here. */
export async function closedSeals(reader: Reader, company: string): Promise<string[]> {
  const lines = new Set<string>();
  const variable = hasMasterKey() ? "PREVIOUS_MASTER_KEY" : "MASTER_KEY";
  for (const place of places())
    for (const { field, value } of await sealedAt(reader, place)) {
      const key = keyMissingFor(company, field, value);
      if (key === undefined) continue;
      const named = key === "" ? "a key from before they had names" : `the master key ${key}`;
      lines.add(`What ${place.column.name} holds is sealed with ${named}, which is needed as ${variable}`);
    }
  return [...lines];
}

/** Every column of a company's database in which something is sealed. */
function places(): Place[] {
  return COMPANY_SEALS.flatMap(({ field, columns }) =>
    columns.map(({ table, id, column, path, key }) => {
      const member = sql.raw(`'${path}'`);
      const value = path === undefined ? sql`${column}` : sql`${column} ->> ${member}`;
      const name = sql.identifier(column.name);
      return {
        field,
        column,
        table: getTableName(table),
        select: sql`SELECT ${id}, ${key}, ${value} FROM ${table} WHERE ${value} IS NOT NULL`,
        update(secret, row) {
          const changed =
            path === undefined ? sql`${secret}` : sql`json_set(${column}, ${member}, ${secret})`;
          return sql`UPDATE ${table} SET ${name} = ${changed} WHERE ${id} = ${row}`;
        },
      } satisfies Place;
    }),
  );
}

/** What is sealed in a column; a backup of an older release may lack its table. */
async function sealedAt(reader: Reader, { select, field, table }: Place): Promise<Sealed[]> {
  const [there] = await reader.all("SELECT 1 FROM sqlite_schema WHERE name = ?", [table]);
  if (there === undefined) return [];
  const rows = await reader.all(dialect.sqlToQuery(select).sql);
  return rows.map(([row = null, name, value]) => ({ row, field: field + name, value: String(value) }));
}
