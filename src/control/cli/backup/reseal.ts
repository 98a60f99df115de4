import { sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { COMPANY_SEALS } from "../../../mount/seals.ts";
import { open, seal } from "./seals.ts";
import type { Reader } from "./values.ts";

const dialect = new SQLiteAsyncDialect();

/** Seals a company's secrets for the name that it has now; they were sealed for another. Gives how many. */
export async function reseal(stream: Reader, from: string, to: string): Promise<number> {
  let resealed = 0;
  for (const { field, columns } of COMPANY_SEALS)
    for (const { table, id, column, path, key } of columns) {
      const place = sql.raw(`'${path}'`);
      const value = path === undefined ? sql`${column}` : sql`${column} ->> ${place}`;
      const select = sql`SELECT ${id}, ${key}, ${value} FROM ${table} WHERE ${value} IS NOT NULL`;
      for (const [row = null, name, sealed] of await stream.all(dialect.sqlToQuery(select).sql)) {
        const secret = seal(to, field + name, open(from, field + name, String(sealed)));
        const changed = path === undefined ? sql`${secret}` : sql`json_set(${column}, ${place}, ${secret})`;
        const update = sql`UPDATE ${table} SET ${sql.identifier(column.name)} = ${changed} WHERE ${id} = ${row}`;
        await stream.all(dialect.sqlToQuery(update).sql, [secret, row]);
        resealed += 1;
      }
    }
  return resealed;
}
