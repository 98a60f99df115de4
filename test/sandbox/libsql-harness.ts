import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client/web";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type LibsqlServer, startLibsqlServer } from "../../src/sandbox/libsql/server.ts";

export const TOKEN = "data-token";
export const ADMIN = { authorization: "Bearer admin-token" };
export const SCHEMA = `
  CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT UNIQUE, stock INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT insufficient_stock CHECK (stock >= 0)) STRICT;
  CREATE TRIGGER items_closed BEFORE INSERT ON items WHEN NEW.name = 'closed'
    BEGIN SELECT RAISE(ABORT, 'slot_taken'); END;`;

export let server: LibsqlServer;
/** A namespace of each test's own, with SCHEMA in it. */
export let namespace: string;
export let client: Client;

const dataDir = mkdtempSync(join(tmpdir(), "libsql-"));
let created = 0;

export async function startServer(): Promise<void> {
  const secrets = { token: TOKEN, adminToken: "admin-token" };
  server = await startLibsqlServer({ dataDir, ...secrets, synchronous: "OFF", faults: true });
}

/** Gives every test of a file one server and each a namespace. */
export function useServer(): void {
  beforeAll(startServer);

  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  beforeEach(async () => {
    created += 1;
    namespace = `company-${created}`;
    expect((await createNamespace(namespace)).status).toBe(200);
    client = connect(namespace);
    await client.executeMultiple(SCHEMA);
  });
}

export function connect(name: string): Client {
  return createClient({ url: `${server.url}/dev/${name}/`, authToken: TOKEN, intMode: "bigint" });
}

export function createNamespace(name: string): Promise<Response> {
  return fetch(`${server.adminUrl}/v1/namespaces/${name}/create`, { method: "POST", headers: ADMIN });
}

export function removeNamespace(name: string): Promise<Response> {
  return fetch(`${server.adminUrl}/v1/namespaces/${name}`, { method: "DELETE", headers: ADMIN });
}

export function post(
  body: unknown,
  path = `/dev/${namespace}/v2/pipeline`,
  token = TOKEN,
): Promise<Response> {
  return fetch(server.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export function execute(sql: string): object {
  return { type: "execute", stmt: { sql } };
}

export async function names(from: Client = client): Promise<unknown[]> {
  return (await from.execute("SELECT name FROM items ORDER BY id")).rows.map((row) => row.name);
}
