import { statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { newDatabaseKey } from "#cli/database-token.ts";
import { type Sqld, startSqld } from "../../../src/sandbox/database-server/sqld.ts";
import { startProxy } from "./proxy.ts";

/** A real libSQL server behind a proxy that counts and injects faults. */
export type Libsql = {
  /** A namespace's data is at `{url}/dev/{namespace}/`. */
  url: string;
  adminUrl: string;
  token: string;
  /** Where sqld keeps its databases. */
  folder: string;
  /** The server itself, without the proxy. */
  direct: () => Pick<Sqld, "url" | "adminUrl">;
  stop: () => Promise<void>;
  /** Ends the server as a power cut would; the proxy stays. */
  kill: () => Promise<void>;
  /** Starts the server again on the same data, without a limit of its files. */
  restart: () => Promise<void>;
};

// More than one run of all tests opens.
const ACTIVE_NAMESPACES = 2_000;
/** What the administration port asks for. */
export const ADMIN_KEY = "test-admin-key";
const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;

/** A call of the administration port, as its owner. */
export function askAdmin(adminUrl: string, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(adminUrl + path, {
    method,
    headers: { Authorization: `Basic ${ADMIN_KEY}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Starts sqld on the folder, and the proxy before it. */
export async function startLibsql(
  dataDir: string,
  {
    fileSizeLimit,
    activeNamespaces = ACTIVE_NAMESPACES,
  }: { fileSizeLimit?: number | undefined; activeNamespaces?: number } = {},
): Promise<Libsql> {
  const privateKey = newDatabaseKey();
  const settings = { dataDir, privateKey, adminKey: ADMIN_KEY, activeNamespaces };
  let server = await startSqld({ ...settings, fileSizeLimit });
  const proxy = await startProxy(() => server);
  return {
    url: proxy.url,
    adminUrl: proxy.adminUrl,
    token: server.token,
    folder: join(dataDir, "data"),
    direct: () => server,
    async stop() {
      proxy.stop();
      await server.stop();
    },
    kill: () => server.kill(),
    async restart() {
      server = await startSqld({ ...settings, ports: server.ports });
    },
  };
}

/** Where tests keep data that need not outlive the machine: in memory where both it and the machine have room, else the temporary folder. */
export async function fastFolder(): Promise<string> {
  const room = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(room, freemem()) > ROOM_BYTES ? MEMORY : tmpdir();
}
