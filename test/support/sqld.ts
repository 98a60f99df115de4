import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findFreePort } from "./free-port.ts";

export const ADMIN_KEY = "test-admin-key";

export type Sqld = {
  /** Of the data port; a namespace is at `/dev/NAME/` of it. */
  url: string;
  adminUrl: string;
  /** A call of the admin port, as its owner. */
  admin: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** The names of all namespaces there are. */
  namespaces: () => Promise<string[]>;
  stop: () => Promise<void>;
};

/** Where the server's executable of this machine is. */
function sqldBinary(): string {
  const name = `@sqld/${process.platform}-${process.arch}`;
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "sqld");
}

/** Starts a real sqld over an empty folder, with an admin key and without one for the data. */
export async function startSqld(): Promise<Sqld> {
  const directory = await mkdtemp(join(tmpdir(), "sqld-"));
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const flags = ["--no-welcome", "--enable-namespaces", "--admin-auth-key", ADMIN_KEY];
  const listen = ["--http-listen-addr", `127.0.0.1:${port}`, "--admin-listen-addr", `127.0.0.1:${adminPort}`];
  const child = spawn(sqldBinary(), ["--db-path", join(directory, "data"), ...flags, ...listen], {
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const admin = (method: string, path: string, body?: unknown) =>
    fetch(adminUrl + path, {
      method,
      headers: { Authorization: `Basic ${ADMIN_KEY}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  for (let patience = 200; ; patience -= 1) {
    const up = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (up?.ok && (await admin("GET", "/v1/namespaces/default/config").catch(() => undefined))?.ok) break;
    if (patience === 0) throw new Error("sqld does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    // By name: of an address with dots sqld takes the first number for a namespace.
    url: `http://localhost:${port}`,
    adminUrl,
    admin,
    namespaces: () => readdir(join(directory, "data/dbs")),
    async stop() {
      child.kill("SIGKILL");
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
