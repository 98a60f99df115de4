import { readFile } from "node:fs/promises";
import { newDatabaseKey } from "#cli/database-token.ts";
import { type Sqld as Server, startSqld as start } from "../../../src/sandbox/database-server/sqld.ts";
import { ADMIN_KEY, askAdmin } from "../../support/libsql/index.ts";

/** The libSQL server of a run, and the process whose time is measured. */
export type Sqld = Server & { pid: number };

/** Starts sqld on the databases in `dataDir`. */
export async function startSqld(dataDir: string): Promise<Sqld> {
  const privateKey = newDatabaseKey();
  const server = await start({ dataDir, adminKey: ADMIN_KEY, activeNamespaces: 100, privateKey });
  const { keeper } = server;
  const children = await readFile(`/proc/${keeper}/task/${keeper}/children`, "utf8").catch(() => "");
  return { ...server, pid: Number.parseInt(children, 10) };
}

/** How a namespace's commits are kept: `strong` outlasts a power cut. */
export async function durabilityOf(sqld: Sqld, namespace: string): Promise<string> {
  const config = await askAdmin(sqld.adminUrl, "GET", `/v1/namespaces/${namespace}/config`);
  return ((await config.json()) as { durability_mode: string }).durability_mode;
}

/** How many requests the server has answered on its data port. */
export async function answered(sqld: Sqld): Promise<number> {
  const metrics = await (await askAdmin(sqld.adminUrl, "GET", "/metrics")).text();
  const counts = metrics.matchAll(/^libsql_server_user_http_response\{.*\} (\d+)$/gm);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
