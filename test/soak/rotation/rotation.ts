import type { Client } from "@libsql/client/web";
import { expect } from "vitest";
import { clientOf, must, platform, runCron, type TestCompany } from "../../support/company.ts";
import type { ServiceAddress } from "../../support/http.ts";
import { addressOf, type Service } from "../../support/service.ts";

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

export async function stateOf(service: ServiceAddress): Promise<State> {
  return must(await platform<State>("GET", "/platform/key-rotation", undefined, service), 200).body.data;
}

export async function startRotation(service: ServiceAddress): Promise<State> {
  return must(await platform<State>("POST", "/platform/key-rotation", undefined, service), 202).body.data;
}

export async function databasesOf(service: ServiceAddress, query = ""): Promise<Database[]> {
  const path = `/platform/key-rotation/databases?limit=100${query}`;
  return must(await platform<Database[]>("GET", path, undefined, service), 200).body.data;
}

/** Lets the cron run until no database waits to be looked through, and gives what stands then. */
export async function untilLookedThrough(service: Service): Promise<State> {
  const address = addressOf(service);
  let state = await stateOf(address);
  await expect
    .poll(
      async () => {
        await runCron({ ...address, cronUrl: service.cronUrl });
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        state = await stateOf(address);
        return state.rotation?.databases.waiting;
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  return state;
}

/** The sealed texts in any column of any table that names another key than this one. */
export async function sealedOtherwise(client: Client, keyId: string): Promise<string[]> {
  const { rows: tables } = await client.execute(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%_search%'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows, columns } = await client.execute(`SELECT * FROM "${name}"`);
    for (const row of rows)
      for (const column of columns)
        for (const [text] of String(row[column] ?? "").matchAll(/\bv(?:1|2\.[0-9a-f]{12})\.[\w-]{38,}/g))
          if (!text.startsWith(`v2.${keyId}.`)) found.push(`${name}.${column}`);
  }
  return found;
}

export const controlOf = (service: Service) => clientOf("control", addressOf(service));

/** Sets the sealed texts of a column back to what they were before keys had names. */
export async function unname(company: TestCompany, table: string, column: string): Promise<void> {
  const digits = "v2.".length + 12 + 1;
  await company
    .database()
    .execute(`UPDATE ${table} SET ${column} = 'v1.' || substr(${column}, ${digits + 1})`);
}
