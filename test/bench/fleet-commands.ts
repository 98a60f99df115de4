// `npm run bench:fleet-commands -- 1000`: so many companies on one sqld and one workerd, and each command of the fleet:
// how long it takes, the most memory that it uses, and, killed in its middle, what the next run has left to do.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CLI } from "../support/company-ops.ts";
import { bindingsFor, createNamespace } from "../support/service.ts";
import { buildWorker } from "../support/worker.ts";
import { asked, positive } from "./setup/arguments.ts";
import { platform } from "./setup/company.ts";
import { startSqld } from "./setup/sqld.ts";
import { storageOf } from "./setup/storage.ts";
import { apiWorker, type Running, startWorkerd } from "./setup/workerd.ts";

const [count = 1_000] = asked(() => process.argv.slice(2).map((text) => positive("Companies", text)));
const OPENED_AT_ONCE = 4;
const SAMPLE_MS = 200;
const MEGABYTE = 1_048_576;

const { directory, note } = storageOf("memory");
const backups = join(directory, "backups");
const sqld = await startSqld(join(directory, "databases"), count + 100);
const bindings = { ...bindingsFor(sqld), DATABASE_PROVIDER: "sqld" };
try {
  await run();
} finally {
  await sqld.stop();
}

async function run(): Promise<void> {
  const bundle = await buildWorker(join(directory, "worker"));
  await createNamespace(sqld, "control");
  const worker = await startWorkerd(directory, await apiWorker("fleet", bundle, bindings));
  await platform(worker.url, "/platform/migrations");
  const startedAt = performance.now();
  await open(worker.url);
  console.log(`${count} companies opened in ${seconds(startedAt)}, databases in ${note}`);
  await measured(worker, ["status"]);
  await killedAndAgain(worker, ["check", "--all"]);
  await killedAndAgain(worker, ["backup", "--all", backups]);
  const files = (await readdir(backups)).filter((name) => name.endsWith(".backup"));
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(backups, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`  ${files.length} files of ${megabytes(bytes)} MB in all`);
  await killedAndAgain(worker, ["verify", "--all", backups]);
  await measured(worker, ["status"]);
  await worker.stop();
}

async function open(url: string): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const line = async () => {
    for (const number of numbers)
      await platform(url, "/platform/companies", { slug: `fleet-${number}`, name: `Company ${number}` });
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, line));
}

/** Kills a command when half is done, and runs it again. */
async function killedAndAgain(worker: Running, words: readonly string[]): Promise<void> {
  await measured(worker, words, new RegExp(`^${Math.ceil(count / 2)}/`, "m"));
  await measured(worker, words);
}

/** Runs a command, and says what it took. */
async function measured(worker: Running, words: readonly string[], killAt?: RegExp): Promise<void> {
  const startedAt = performance.now();
  const env = { ...process.env, ...bindings, COMPANY_OPS_URL: worker.url, DATA_DIR: directory };
  const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let text = "";
  let isKilled = false;
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
    if (killAt?.test(text) && !isKilled) isKilled = child.kill("SIGKILL");
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const most = { command: 0, workerd: 0, sqld: 0 };
  const pids = { command: child.pid ?? 0, workerd: worker.pid, sqld: sqld.pid };
  while (!isOver) {
    for (const name of ["command", "workerd", "sqld"] as const)
      most[name] = Math.max(most[name], await residentBytes(pids[name]));
    await sleep(SAMPLE_MS);
  }
  const [code] = await ended;
  const lines = text.trimEnd().split("\n");
  const done = lines.filter((line) => /^\d+\/\d+ /.test(line)).length;
  const said = isKilled
    ? `killed after ${done} of ${count}`
    : `ended with ${code}, ${done} lines of progress`;
  const memory = Object.entries(most).map(([name, bytes]) => `${name} ${megabytes(bytes)} MB`);
  console.log(
    `company-ops ${words.slice(0, 2).join(" ")}: ${seconds(startedAt)}, ${said}; ${memory.join(", ")}`,
  );
  if (!isKilled) console.log(`  ${lines.filter((line) => !/^\d+\/\d+ /.test(line)).at(-1)}`);
  if (isKilled === (killAt === undefined) || (!isKilled && code !== 0)) throw new Error("It ended otherwise");
}

async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0);
}
