import { getTableName, type SQL, sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { encrypt, encryptedBy, keyIdOf, tryDecrypt } from "./encryption.ts";
import { type EncryptedColumn, type SecretKind, secretPlace } from "./secret-kind.ts";

/** Encrypted values by column and by the id of the key that encrypted them, `""` where they name none. */
export type Found = Record<string, Record<string, number>>;
/** Where a look through the encrypted columns of a database goes on. */
export type Progress = { column: number; after: string | number | null; missed: number };
export type Look = { progress: Progress; found: Found; ended: boolean };

type Row = { id: string | number; company: string; key: string | null; encrypted: string | null };
type Place = { name: string; kind: SecretKind; column: EncryptedColumn };

const ROWS_AT_ONCE = 200;
const STEPS_AT_ONCE = 20;

/** What a look through a database needs: the keys, current first, and the company whose database it is. */
export type Reencrypter = {
  database: Database;
  kinds: readonly SecretKind[];
  masterKeys: readonly string[];
  company: string;
  /** The statement that records in the audit log that something was encrypted anew. */
  auditRow: SQL;
};

/**
 * Goes on through the encrypted columns for some steps, each one read and at most one write. It re-encrypts what
 * another key than the current one encrypted. What opens with no key stays as it is, and is counted under the key that
 * it names.
 */
export async function reencryptSome(
  reencrypter: Reencrypter,
  progress: Progress,
  found: Found,
): Promise<Look> {
  const places = placesOf(reencrypter.kinds);
  const look: Look = { progress: { ...progress }, found: structuredClone(found), ended: false };
  for (let step = 0; step < STEPS_AT_ONCE; step += 1) {
    const place = places[look.progress.column];
    if (place === undefined) return { ...look, ended: true };
    const rows = await readRows(reencrypter, place, look.progress.after);
    look.progress.missed += await reencryptRows(reencrypter, place, rows, look.found);
    const isLast = rows.length < ROWS_AT_ONCE;
    look.progress.after = isLast ? null : (rows.at(-1)?.id ?? null);
    if (isLast) look.progress.column += 1;
  }
  return look;
}

/** The name of an encrypted column, as reports show it. */
export function columnName({ table, column, path }: EncryptedColumn): string {
  return `${getTableName(table)}.${column.name}${path?.slice(1) ?? ""}`;
}

function placesOf(kinds: readonly SecretKind[]): Place[] {
  return kinds.flatMap((kind) => kind.columns.map((column) => ({ name: columnName(column), kind, column })));
}

async function readRows(
  { database, company }: Reencrypter,
  { column: { table, id, key, company: owner, ...column } }: Place,
  after: Progress["after"],
): Promise<Row[]> {
  // The smallest text or, before the first number, zero.
  const from = after ?? (id.dataType === "string" ? "" : 0);
  const within = holdsOne(column);
  const [rows] = await database.read([
    database.build.all<Row>(sql`
      SELECT ${id} AS id, iif(${within}, ${owner ?? sql`${company}`}, '') AS company,
        iif(${within}, ${key}, '') AS key, iif(${within}, ${heldBy(column)}, NULL) AS encrypted
      FROM ${table} WHERE ${id} > ${from} ORDER BY ${id} LIMIT ${ROWS_AT_ONCE}`),
  ]);
  return rows;
}

/** Gives how many values another write changed meanwhile: what they are encrypted with now is not known. */
async function reencryptRows(
  { database, masterKeys, auditRow }: Reencrypter,
  { name, kind, column }: Place,
  rows: readonly Row[],
  found: Found,
): Promise<number> {
  const current = masterKeys[0] ?? "";
  const keyId = await keyIdOf(current);
  const changes: SQL[] = [];
  for (const { id, company, key, encrypted } of rows) {
    if (encrypted === null || encrypted === "") continue;
    const by = encryptedBy(encrypted);
    const place = secretPlace(kind, company, key ?? "");
    const secret = by === keyId ? undefined : await tryDecrypt(masterKeys, place, encrypted);
    if (secret === undefined) count(found, name, by ?? "", 1);
    else changes.push(replacement(column, id, encrypted, await encrypt(current, place, secret)));
  }
  if (changes.length === 0) return 0;
  const results = await database.alone.write([...changes, auditRow]);
  const done = results.slice(0, changes.length).filter(({ rowsAffected }) => rowsAffected > 0).length;
  count(found, name, keyId, done);
  return changes.length - done;
}

/** Compares with the old text, so that a secret which was changed meanwhile stays. */
function replacement(column: EncryptedColumn, id: Row["id"], encrypted: string, next: string): SQL {
  const { table, path } = column;
  const value = path === undefined ? sql`${next}` : sql`json_set(${column.column}, ${path}, ${next})`;
  return sql`UPDATE ${table} SET ${sql.identifier(column.column.name)} = ${value}
    WHERE ${column.id} = ${id} AND ${heldBy(column)} = ${encrypted}`;
}

function heldBy({ column, path }: Pick<EncryptedColumn, "column" | "path">): SQL {
  return path === undefined ? sql`${column}` : sql`json_extract(${column}, ${path})`;
}

/** Most remembered answers hold no secret: their text is searched first, to spare parsing them. */
function holdsOne({ column, path }: Pick<EncryptedColumn, "column" | "path">): SQL {
  const member = path?.slice(path.lastIndexOf(".") + 1);
  return member === undefined ? sql`TRUE` : sql`instr(${column}, ${`"${member}"`}) > 0`;
}

function count(found: Found, name: string, keyId: string, values: number): void {
  if (values === 0) return;
  found[name] ??= {};
  found[name][keyId] = (found[name][keyId] ?? 0) + values;
}
