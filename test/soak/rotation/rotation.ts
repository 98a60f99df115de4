import type { Client } from "@libsql/client/web";
import { getTableName, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { expect, vi } from "vitest";
import { decrypt, encrypt } from "#cli/backup/database/secret-kinds.ts";
import type { SecretKind } from "#core/secrets/secret-kind.ts";
import { clientOf, must, platform, platformRead, runCron, type TestCompany } from "../../support/company.ts";
import type { ServiceAddress } from "../../support/http.ts";
import { addressOf, type Service } from "../../support/service.ts";

const dialect = new SQLiteAsyncDialect();

export const keyOf = (byte: number) => Buffer.alloc(32, byte).toString("base64");

export type State = {
  current_key_id: string;
  previous_key_id: string | null;
  rotation: {
    key_id: string;
    status: string;
    started_by: string;
    databases: { waiting: number; done: number; failed: number };
    values: { key_id: string | null; values: number }[];
  } | null;
};
export type Database = {
  database: string;
  status: string;
  error: string | null;
  looked_at: string | null;
  values: { column: string; key_id: string | null; values: number }[];
};

export const stateOf = (service: ServiceAddress) => platformRead<State>("/platform/key-rotation", service);

export async function startRotation(service: ServiceAddress): Promise<State> {
  return must(await platform<State>("POST", "/platform/key-rotation", undefined, service), 202).body.data;
}

export function databasesOf(service: ServiceAddress, query = ""): Promise<Database[]> {
  return platformRead<Database[]>(`/platform/key-rotation/databases?limit=100${query}`, service);
}

/** Lets the cron run until no database waits to be looked through, and gives what stands then. */
export async function untilLookedThrough(service: Service): Promise<State> {
  const address = addressOf(service);
  let state = await stateOf(address);
  await expect
    .poll(
      async () => {
        await runCron(address);
        await new Promise((resolve) => setTimeout(resolve, 300));
        state = await stateOf(address);
        return state.rotation?.databases.waiting;
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  return state;
}

/** The encrypted texts in any column of any table that names another key than this one. */
export async function encryptedOtherwise(client: Client, keyId: string): Promise<string[]> {
  const { rows: tables } = await client.execute(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%_search%'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows, columns } = await client.execute(`SELECT * FROM "${name}"`);
    for (const row of rows)
      for (const column of columns)
        for (const [text] of String(row[column] ?? "").matchAll(/\bv2\.[0-9a-f]{12}\.[\w-]{38,}/g))
          if (!text.startsWith(`v2.${keyId}.`)) found.push(`${name}.${column}`);
  }
  return found;
}

export const controlOf = (service: Service) => clientOf("control", addressOf(service));

/** Encrypts what a column holds with another master key than the service's own, as it was before a rotation. */
export async function sealBefore(
  company: TestCompany,
  { field, columns }: SecretKind,
  keys: { now: string; before: string },
): Promise<void> {
  for (const { table, id, column, key } of columns) {
    const select = dialect.sqlToQuery(
      sql`SELECT ${id} AS id, ${key} AS key, ${column} AS encrypted FROM ${table}`,
    );
    const { rows } = await company.database().execute(select.sql);
    for (const row of rows) {
      const place = [company.slug, `${field}${String(row.key)}`] as const;
      const secret = withKey(keys.now, () => decrypt(...place, String(row.encrypted)));
      const encrypted = withKey(keys.before, () => encrypt(...place, secret));
      const update = `UPDATE ${getTableName(table)} SET ${column.name} = ? WHERE ${id.name} = ?`;
      await company.database().execute({ sql: update, args: [encrypted, row.id ?? null] });
    }
  }
}

/** Does what the command line does with a master key. */
function withKey<Result>(masterKey: string, work: () => Result): Result {
  vi.stubEnv("MASTER_KEY", masterKey);
  vi.stubEnv("CONTROL_DATABASE_URL", "http://127.0.0.1:1/");
  try {
    return work();
  } finally {
    vi.unstubAllEnvs();
  }
}
