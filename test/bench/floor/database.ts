import { createClient } from "@libsql/client/http";
import { admin, durabilityOf, type Sqld } from "../setup/sqld.ts";

const NAME = "floor";

/**
 * Copies the company's database to one of the floor's own, as durable, and takes from it all triggers and all indexes
 * that no write needs: those of words, and those that are not unique. Gives its address.
 */
export async function copyForFloor(sqld: Sqld, namespace: string): Promise<string> {
  const url = await copyOf(sqld, namespace, NAME);
  const client = createClient({ url, authToken: sqld.token });
  const { rows } = await client.execute(
    `SELECT type, name FROM sqlite_schema WHERE type = 'trigger' OR sql LIKE 'CREATE VIRTUAL%'
      OR (type = 'index' AND sql LIKE 'CREATE INDEX%') ORDER BY type = 'table'`,
  );
  await client.batch(
    rows.map(({ type, name }) => `DROP ${String(type).toUpperCase()} "${String(name)}"`),
    "write",
  );
  return url;
}

/** A copy of a database whose commits are as durable, and its address. */
async function copyOf(sqld: Sqld, from: string, to: string): Promise<string> {
  await must(admin(sqld, `/v1/namespaces/${from}/fork/${to}`, { method: "POST" }));
  const config = await (await must(admin(sqld, `/v1/namespaces/${to}/config`))).json();
  const durability = await durabilityOf(sqld, from);
  const body = JSON.stringify({ ...Object(config), durability_mode: durability });
  await must(admin(sqld, `/v1/namespaces/${to}/config`, { method: "POST", body }));
  if ((await durabilityOf(sqld, to)) !== durability) throw new Error(`${to} is not as durable as ${from}`);
  return `${sqld.url}/dev/${to}/`;
}

async function must(asked: Promise<Response>): Promise<Response> {
  const response = await asked;
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return response;
}
