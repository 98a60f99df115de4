import { getTableName, type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { COMPANY_SECRET_KINDS } from "../../../wiring/secret-kinds.ts";
import type { Reader, Value } from "../dump/values.ts";
import { decrypt, encrypt, hasMasterKey, isOfAnother, keyIdIn, keyIdsAtHand } from "./secret-kinds.ts";

type Encrypted = { row: Value; field: string; value: string };
/** A master key, by its 12 digits, and a table in which it encrypted something. */
export type KeyNeeded = { table: string; key: string };
type Place = {
  select: SQL;
  update: (secret: string, row: Value) => SQL;
  field: string;
  table: string;
};

const dialect = new SQLiteAsyncDialect();

/** Encrypts a company's secrets for its present name; they were encrypted for another. Gives how many. */
export async function reencrypt(stream: Reader, from: string, to: string): Promise<number> {
  let reencrypted = 0;
  for (const place of places())
    for (const { row, field, value } of await encryptedAt(stream, place)) {
      const secret = encrypt(to, field, decrypt(from, field, value));
      await stream.all(dialect.sqlToQuery(place.update(secret, row)).sql, [secret, row]);
      reencrypted += 1;
    }
  return reencrypted;
}

/** A line for each place whose secrets were encrypted for another company, as far as MASTER_KEY opens them. */
export async function foreignSecrets(reader: Reader, company: string): Promise<string[]> {
  const problems: string[] = [];
  for (const place of places()) {
    const encrypted = await encryptedAt(reader, place);
    if (encrypted.some(({ field, value }) => isOfAnother(company, field, value)))
      problems.push(`The secrets in the table ${place.table} were not encrypted for company ${company}`);
  }
  return problems;
}

/** The master key of each table in which something is encrypted, by its 12 digits. */
export async function keysNeeded(reader: Reader): Promise<KeyNeeded[]> {
  const needed: KeyNeeded[] = [];
  for (const place of places()) {
    const encrypted = await encryptedAt(reader, place);
    const keys = new Set(encrypted.map(({ value }) => keyIdIn(value)));
    for (const key of keys) if (key !== undefined) needed.push({ table: place.table, key });
  }
  return needed;
}

/** A line for each key that is not here. */
export function undecryptable(needed: readonly KeyNeeded[]): string[] {
  const variable = hasMasterKey() ? "PREVIOUS_MASTER_KEY" : "MASTER_KEY";
  const lines = needed
    .filter(({ key }) => !keyIdsAtHand().includes(key))
    .map((one) => `${keySaid(one)} is needed as ${variable}`);
  return [...new Set(lines)];
}

/** Names a key by what it encrypted. */
export function keySaid({ table, key }: KeyNeeded): string {
  return `The secrets in the table ${table} are encrypted with the master key ${key}, which`;
}

/** Every column of a company's database in which something is encrypted. */
function places(): Place[] {
  return COMPANY_SECRET_KINDS.flatMap(({ field, columns }) =>
    columns.map(({ table, id, column, path, key }) => {
      const member = sql.raw(`'${path}'`);
      const value = path === undefined ? sql`${column}` : sql`${column} ->> ${member}`;
      const name = sql.identifier(column.name);
      return {
        field,
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

/** What is encrypted in a column; nothing where a database of a release before lacks its table. */
async function encryptedAt(reader: Reader, { select, field, table }: Place): Promise<Encrypted[]> {
  const [known] = await reader.all("SELECT 1 FROM sqlite_schema WHERE name = ?", [table]);
  if (known === undefined) return [];
  const rows = await reader.all(dialect.sqlToQuery(select).sql);
  return rows.map(([row = null, name, value]) => ({ row, field: field + name, value: String(value) }));
}
