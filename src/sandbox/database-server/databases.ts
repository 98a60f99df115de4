import { createClient } from "@libsql/client/web";
import { isTaken, StartError } from "../configuration.ts";
import { type DataFolder, goOn } from "../data-folder/data-folder.ts";
import { startSqld } from "./sqld.ts";

export type Databases = AsyncDisposable & {
  /** What connects the Worker to them. */
  variables: Record<string, string>;
  /** Rejects when the server ends by itself. */
  ended: Promise<never>;
  /** Makes the control database fit this start; `dropped` names companies that are to be made anew. */
  adopt(dropped: string[]): Promise<void>;
};

// The demo needs three; this leaves capacity for more companies.
const ACTIVE_NAMESPACES = 200;
const IDS = "SELECT id FROM companies WHERE slug IN (SELECT value FROM json_each(?))";

/** Starts sqld, where it was the last time if that is free, over the databases of the folder, and makes the control database. */
export async function startDatabases(folder: DataFolder): Promise<Databases> {
  const { memory } = folder;
  const ports = memory.database_ports;
  const server = await startSqld({
    dataDir: folder.file("sqld"),
    privateKey: memory.database_key,
    adminKey: memory.admin_key,
    activeNamespaces: ACTIVE_NAMESPACES,
    ...(ports !== undefined && (await areFree(ports)) ? { ports } : {}),
  });
  const { token } = server;
  folder.remember({ database_ports: server.ports });
  const control = `${server.url}/dev/control/`;
  const created = await fetch(`${server.adminUrl}/v1/namespaces/control/create`, {
    method: "POST",
    headers: { Authorization: `Basic ${memory.admin_key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ durability_mode: "strong" }),
  });
  // 400: it was there before.
  if (!created.ok && created.status !== 400) throw new StartError(await created.text());
  return {
    ended: server.ended.then(() => {
      throw new StartError(
        `The database server ended by itself: ${folder.file("sqld/sqld.log")} says why. ${goOn(folder)}`,
      );
    }),
    variables: {
      CONTROL_DATABASE_URL: control,
      CONTROL_DATABASE_TOKEN: token,
      SQLD_ADMIN_URL: server.adminUrl,
      SQLD_ADMIN_TOKEN: memory.admin_key,
      SQLD_DATABASE_URL: `${server.url}/dev/{namespace}/`,
      SQLD_DATABASE_TOKEN: token,
    },
    async adopt(dropped) {
      const client = createClient({ url: control, authToken: token });
      const slugs = JSON.stringify(dropped);
      await client.batch(
        [
          // The server's port may be another one than at the last start.
          {
            sql: "UPDATE companies SET database_url = ? || database_name || '/'",
            args: [`${server.url}/dev/`],
          },
          ...["api_keys WHERE company_id", "chatapp_numbers WHERE company_id", "companies WHERE id"].map(
            (rows) => ({ sql: `DELETE FROM ${rows} IN (${IDS})`, args: [slugs] }),
          ),
        ],
        "write",
      );
      client.close();
    },
    [Symbol.asyncDispose]: server.stop,
  };
}

async function areFree(ports: object): Promise<boolean> {
  const taken = await Promise.all(Object.values(ports).map((port: number) => isTaken(port, "127.0.0.1")));
  return !taken.includes(true);
}
