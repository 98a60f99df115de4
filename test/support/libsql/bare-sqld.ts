import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { newDatabaseKey } from "#cli/database-token.ts";
import { startSqld as start } from "../../../src/sandbox/database-server/sqld.ts";
import { ADMIN_KEY, askAdmin, fastFolder } from "./index.ts";

export { ADMIN_KEY };

export type Sqld = {
  /** Of the data port; a namespace is at `/dev/NAME/` of it. */
  url: string;
  adminUrl: string;
  token: string;
  /** A call of the admin port, as its owner. */
  admin: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** The names of all namespaces there are. */
  namespaces: () => Promise<string[]>;
  stop: () => Promise<void>;
};

/** Starts a real sqld over an empty folder, with no proxy before it. */
export async function startSqld(): Promise<Sqld> {
  const dataDir = await mkdtemp(join(await fastFolder(), "sqld-"));
  const server = await start({
    dataDir,
    privateKey: newDatabaseKey(),
    adminKey: ADMIN_KEY,
    activeNamespaces: 100,
  });
  const { url, adminUrl, token } = server;
  return {
    url,
    adminUrl,
    token,
    admin: (...call) => askAdmin(adminUrl, ...call),
    namespaces: () => readdir(join(dataDir, "data/dbs")),
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
