import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseToken, publicKeyOf } from "#cli/database-token.ts";
import { isTaken, StartError, untilAnswers } from "../configuration.ts";
import { killGroup } from "../kill-group.ts";
import { findFreePort } from "./free-port.ts";
import { sqldBinary } from "./sqld-binary.ts";

export type SqldOptions = {
  /** A folder of its own: databases, the public key, and the log. */
  dataDir: string;
  /** PEM of the Ed25519 key that its tokens are signed with. */
  privateKey: string;
  /** What the administration port asks for. */
  adminKey: string;
  /** Databases that may be open at once; one that is being closed for another answers 404 for a moment. */
  activeNamespaces: number;
  ports?: Ports;
  /** Limit of any file in bytes, so that a full disk can be met. */
  fileSizeLimit?: number | undefined;
};
type Ports = { data: number; admin: number };
/** A libSQL server of its own process; a namespace's data is at `{url}/dev/{namespace}/`. */
export type Sqld = {
  url: string;
  adminUrl: string;
  token: string;
  ports: Ports;
  /** The process that ends the server when this one ends: its parent. */
  keeper: number;
  /** Resolves when the server has ended, asked or not. */
  ended: Promise<void>;
  stop: () => Promise<void>;
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
};

const KEEPER = join(import.meta.dirname, "../keeper.ts");
const START_MS = 30_000;
const END_MS = 10_000;
const FILES_PER_NAMESPACE = 5;
const OTHER_FILES = 200;
const BLOCK_BYTES = 512;
// Without these, glibc spends a tenth of the server's time on joining small pieces of memory and giving them back.
const MALLOC = "glibc.malloc.mxfast=0:glibc.malloc.trim_threshold=268435456:glibc.malloc.top_pad=1048576";
// A soft limit as high as it may be; a file that reaches its size limit is an error, not the end of the process.
const RUN = `trap '' XFSZ; ulimit -Sn "$(ulimit -Hn)" 2>/dev/null || ulimit -Sn 10240 2>/dev/null
if [ -n "$FILE_BLOCKS" ]; then ulimit -f "$FILE_BLOCKS"; fi; exec "$@"`;

/** Starts sqld with namespaces, tokens and an administration port; it ends with this process, however that ends. */
export async function startSqld(options: SqldOptions): Promise<Sqld> {
  const binary = sqldBinary();
  requireDescriptors(options.activeNamespaces);
  mkdirSync(options.dataDir, { recursive: true });
  writeFileSync(join(options.dataDir, "token-key.pem"), publicKeyOf(options.privateKey));
  const ports = options.ports ?? { data: await findFreePort(), admin: await findFreePort() };
  // Another server there would answer in its place.
  for (const port of Object.values(ports)) {
    if (await isTaken(port, "127.0.0.1"))
      throw new StartError(`Port ${port} of the database server is taken`);
  }
  return launch(binary, options, ports);
}

async function launch(binary: string, options: SqldOptions, ports: Ports): Promise<Sqld> {
  const { dataDir, adminKey, activeNamespaces, privateKey, fileSizeLimit } = options;
  const parameters = [
    ...["--db-path", join(dataDir, "data"), "--no-welcome", "--enable-namespaces"],
    ...["--http-listen-addr", `127.0.0.1:${ports.data}`, "--admin-listen-addr", `127.0.0.1:${ports.admin}`],
    ...["--auth-jwt-key-file", join(dataDir, "token-key.pem")],
    ...["--max-active-namespaces", String(activeNamespaces)],
    // By default 128 of each, above which a burst of calls is refused.
    ...["--max-concurrent-requests", "1024", "--max-concurrent-connections", "1024"],
    // By default each database keeps 200 MB of what it wrote, for replicas that there are none of.
    ...["--max-log-size", "16"],
  ];
  const log = openSync(join(dataDir, "sqld.log"), "w", 0o600);
  const keeper = spawn(process.execPath, [KEEPER, "sh", "-c", RUN, "sh", binary, ...parameters], {
    detached: true,
    stdio: ["pipe", log, log],
    env: {
      ...process.env,
      // Not as a parameter: every user of the machine may read those.
      LIBSQL_ADMIN_AUTH_KEY: adminKey,
      RUST_LOG: process.env.RUST_LOG ?? "warn",
      NO_COLOR: "1",
      GLIBC_TUNABLES: process.env.GLIBC_TUNABLES ?? MALLOC,
      FILE_BLOCKS: fileSizeLimit === undefined ? "" : String(Math.ceil(fileSizeLimit / BLOCK_BYTES)),
    },
  });
  keeper.stdin?.on("error", () => undefined);
  const ended = once(keeper, "exit").then(() => undefined);
  const answered = untilAnswers(ports.data, "The database server", START_MS);
  const answers = await Promise.race([answered, ended.then(() => false)]);
  if (!answers) throw new StartError(`The database server ended:\n${lastLines(dataDir)}`);
  return {
    // With a dot in it, the host itself would name the namespace.
    url: `http://localhost:${ports.data}`,
    adminUrl: `http://127.0.0.1:${ports.admin}`,
    token: databaseToken(privateKey),
    ports,
    keeper: keeper.pid ?? 0,
    ended,
    async stop() {
      keeper.stdin?.end();
      await ended;
      killGroup(keeper);
    },
    async kill() {
      killGroup(keeper);
      await ended;
      await untilFree(ports);
    },
  };
}

/** Resolves when a killed server has given its ports back, which can be later than its keeper's end. */
async function untilFree(ports: Ports): Promise<void> {
  const deadline = Date.now() + END_MS;
  for (const port of Object.values(ports)) {
    while ((await isTaken(port, "127.0.0.1")) && Date.now() < deadline) await sleep(20);
  }
}

function requireDescriptors(activeNamespaces: number): void {
  const limit = execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
  const needed = FILES_PER_NAMESPACE * activeNamespaces + OTHER_FILES;
  if (limit === "unlimited" || Number(limit) >= needed) return;
  throw new StartError(
    `${activeNamespaces} open databases need ${needed} open files, and this machine allows ${limit}: raise ulimit -Hn`,
  );
}

function lastLines(dataDir: string): string {
  return readFileSync(join(dataDir, "sqld.log"), "utf8").split("\n").slice(-10).join("\n").trim();
}
