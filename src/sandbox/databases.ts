import { createClient } from "@libsql/client/web";
import { StartError } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";
import { startLibsqlServer } from "./libsql/server.ts";

export type Databases = AsyncDisposable & {
  /** What connects the Worker to them. */
  variables: Record<string, string>;
  /** Makes the control database fit this start; `dropped` names companies that are to be made anew. */
  adopt(dropped: string[]): Promise<void>;
};

/** Starts the libSQL server on free ports, over the databases of the folder, and makes the control database. */
export async function startDatabases(folder: DataFolder): Promise<Databases> {
  const token = folder.memory.database_token;
  const server = await startLibsqlServer({
    dataDir: folder.file("databases"),
    token,
    adminToken: token,
  });
  const control = `${server.url}/dev/control/`;
  const created = await fetch(`${server.adminUrl}/v1/namespaces/control/create`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: "{}",
  });
  // 400: it was there before.
  if (!created.ok && created.status !== 400) throw new StartError(await created.text());
  return {
    variables: {
      CONTROL_DATABASE_URL: control,
      CONTROL_DATABASE_TOKEN: token,
      SQLD_ADMIN_URL: server.adminUrl,
      SQLD_ADMIN_TOKEN: token,
      SQLD_DATABASE_URL: `${server.url}/dev/{namespace}/`,
      SQLD_DATABASE_TOKEN: token,
    },
    async adopt(dropped) {
      const client = createClient({ url: control, authToken: token });
      const slugs = JSON.stringify(dropped);
      await client.batch(
        [
          // The server's port is another one at each start.
          {
            sql: "UPDATE companies SET database_url = ? || coalesce(database_name, slug) || '/'",
            args: [`${server.url}/dev/`],
          },
          {
            sql: `DELETE FROM api_keys WHERE company_id IN
              (SELECT id FROM companies WHERE slug IN (SELECT value FROM json_each(?)))`,
            args: [slugs],
          },
          {
            sql: `DELETE FROM chatapp_numbers WHERE company_id IN
              (SELECT id FROM companies WHERE slug IN (SELECT value FROM json_each(?)))`,
            args: [slugs],
          },
          { sql: "DELETE FROM companies WHERE slug IN (SELECT value FROM json_each(?))", args: [slugs] },
        ],
        "write",
      );
      client.close();
    },
    [Symbol.asyncDispose]: server.stop,
  };
}
