// `npm run bench:fleet -- 1000 20`: so many companies, in at most so many minutes, on one sqld and one workerd. Opened
// by a release that lacks the last migration, brought up to date by a command that is killed in its middle and run
// again, one of them restored from its backup and compared row by row, and all of them called beside one alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, createClient } from "@libsql/client/http";
import { CLI } from "../support/company-ops.ts";
import { bindingsFor, createNamespace } from "../support/service.ts";
import { buildWorker } from "../support/worker.ts";
import { type Place, tellFirstCalls, tellLoads } from "./measure/fleet-load.ts";
import { processorMs } from "./measure/processor.ts";
import { asked, positive } from "./setup/arguments.ts";
import { platform } from "./setup/company.ts";
import { olderBundle } from "./setup/older-release.ts";
import { startSqld } from "./setup/sqld.ts";
import { storageOf } from "./setup/storage.ts";
import { apiWorker, type Running, startWorkerd } from "./setup/workerd.ts";

const [count = 1_000, minutes = 20] = asked(() =>
  process.argv.slice(2).map((text) => positive("Companies, and minutes,", text)),
);
const OPENED_AT_ONCE = 4;
const CUSTOMERS = 100;
const places: Place[] = [];
const endOfOpening = Date.now() + (minutes * 60_000) / 2;

const { directory, note } = storageOf("disk");
let sqld = await startSqld(join(directory, "databases"), count + 100);
const bindings = { ...bindingsFor(sqld), DATABASE_PROVIDER: "sqld" };
console.log(`${count} companies wanted, ${minutes} minutes, databases in ${note}`);
try {
  await run();
} finally {
  await sqld.stop();
}

async function run(): Promise<void> {
  const bundle = await buildWorker(join(directory, "worker"));
  const older = await olderBundle(bundle, join(directory, "older"));
  await createNamespace(sqld, "control");
  const before = await start("older", older.bundle);
  await platform(before.url, "/platform/migrations");
  await tell("empty", before);
  const opened = await open(before.url);
  await tell(`${opened} companies opened by a release without ${older.without}`, before);
  await before.stop();

  const now = await start("now", bundle);
  await migrate(now, opened, older.without);
  await restoreOne(now);
  await now.stop();
  await callAll(bundle);
}

/** What companies cost that a fresh isolate and a fresh sqld have never seen, and then many at once beside one. */
async function callAll(bundle: string): Promise<void> {
  await sqld.stop();
  sqld = await sqld.again();
  const fresh = await start("fresh", bundle);
  const [{ slug, headers } = { slug: "", headers: {} }] = places;
  const limit = { method: "PATCH", headers, body: { rate_limit_per_minute: 1_000_000 } };
  await call(`${fresh.url}/v1/settings/${slug}/keys/${headers["X-Client-Id"]}`, limit);
  await tellFirstCalls(fresh.url, places);
  await tellLoads(fresh.url, places);
  await tell(`${places.length} companies called`, fresh);
  await fresh.stop();
}

async function start(name: string, bundle: string): Promise<Running> {
  return startWorkerd(directory, await apiWorker(name, bundle, bindings));
}

async function open(url: string): Promise<number> {
  const startedAt = performance.now();
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  let opened = 0;
  const line = async () => {
    for (const number of numbers) {
      if (Date.now() > endOfOpening) return;
      const slug = `fleet-${number}`;
      const { data } = await platform(url, "/platform/companies", { slug, name: `Company ${number}` });
      places.push({ slug, headers: headersOf(data.admin_key) });
      opened += 1;
      if (opened % 100 === 0) console.log(`  ${opened} opened after ${seconds(startedAt)}`);
    }
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, line));
  console.log(`opening: ${seconds(startedAt)}, ${OPENED_AT_ONCE} at a time`);
  return opened;
}

async function migrate(worker: Running, opened: number, without: string): Promise<void> {
  let startedAt = performance.now();
  const first = await command(worker, ["migrate"], (line) => line.startsWith(`${Math.ceil(opened / 2)}/`));
  const left = await behind(without);
  console.log(`migrate: killed after ${seconds(startedAt)}, ${opened - left} of ${opened} done`);
  if (!first.killed || left === 0 || left === opened) throw new Error("It was not killed in its middle");
  startedAt = performance.now();
  const { lines } = await command(worker, ["migrate"]);
  const asked = lines.filter((line) => /^\d+\/\d+ /.test(line)).length;
  console.log(
    `migrate again: ${seconds(startedAt)}, ${asked} companies asked, ${await behind(without)} left behind`,
  );
  if (asked !== left || (await behind(without)) !== 0)
    throw new Error("It has not done what was left, or more");
  startedAt = performance.now();
  await command(worker, ["migrate"]);
  console.log(`migrate with nothing to do: ${seconds(startedAt)}`);
  await tell("migrated", worker);
}

/** How many companies' databases lack the migration, by their own records. */
async function behind(without: string): Promise<number> {
  let lacking = 0;
  for (const name of await databaseNames()) {
    const { rows } = await database(name).execute({
      sql: "SELECT 1 FROM migrations WHERE name = ?",
      args: [without],
    });
    lacking += rows.length === 0 ? 1 : 0;
  }
  return lacking;
}

async function restoreOne(worker: Running): Promise<void> {
  const [slug, copy, file] = ["fleet-0", "fleet-0-restored", join(directory, "fleet-0.backup")];
  const [name = ""] = await databaseNames(slug);
  const { data } = await platform(worker.url, `/platform/companies/${slug}/keys`);
  const headers = headersOf(data);
  for (let number = 0; number < CUSTOMERS; number += 1)
    await call(`${worker.url}/v1/customers/${slug}`, {
      headers,
      body: { name: `Customer ${number}`, state: "Karnataka", pincode: "560001" },
    });
  for (const words of [
    ["backup", slug, file],
    ["restore", file, "--as", copy],
  ]) {
    const startedAt = performance.now();
    await command(worker, words);
    console.log(`${words[0]}: ${seconds(startedAt)}`);
  }
  const [restored = ""] = await databaseNames(copy);
  const { tables, rows } = await compare(database(name), database(restored));
  console.log(`${rows} rows of ${tables} tables are the same, one by one`);
}

/** Throws where a row differs; only what each database says of its own name, company and keys does. */
async function compare(one: Client, other: Client): Promise<{ tables: number; rows: number }> {
  const { rows: tables } = await one.execute(`SELECT name FROM sqlite_schema WHERE type = 'table'
    AND name NOT IN ('database_name', 'company_copy', 'key_copies') AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'libsql%' AND name NOT LIKE '%search%'`);
  let rows = 0;
  for (const { name } of tables) {
    const [here = [], there = []] = await Promise.all(
      [one, other].map(async (database) =>
        (await database.execute(`SELECT * FROM "${name}"`)).rows.map((row) => JSON.stringify(row)),
      ),
    );
    if (here.length !== there.length) throw new Error(`${name}: ${here.length} rows, and ${there.length}`);
    const differing = here.toSorted().findIndex((row, at) => row !== there.toSorted()[at]);
    if (differing >= 0) throw new Error(`${name}: a row differs`);
    rows += here.length;
  }
  return { tables: tables.length, rows };
}

async function databaseNames(slug = "%"): Promise<string[]> {
  const sql = "SELECT database_name FROM companies WHERE slug LIKE ?";
  const { rows } = await database("control").execute({ sql, args: [slug] });
  return rows.map((row) => String(row.database_name));
}

function database(name: string): Client {
  return createClient({ url: `${sqld.url}/dev/${name}/`, authToken: sqld.token });
}

type Ran = { lines: string[]; killed: boolean };

/** Runs the command line and gives its lines; kills it at the line for which `until` holds. */
async function command(
  worker: Running,
  words: readonly string[],
  until: (line: string) => boolean = () => false,
): Promise<Ran> {
  const env = { ...process.env, ...bindings, COMPANY_OPS_URL: worker.url, DATA_DIR: directory };
  const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines: string[] = [];
  let killed = false;
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (!killed && until(line)) killed = child.kill("SIGKILL");
  }
  const [code] = await ended;
  if (!killed && code !== 0) throw new Error(`${words.join(" ")} ended with ${code}`);
  return { lines, killed };
}

type Key = { client_id: string; client_secret: string };
type Answer = { data: Key & { admin_key: Key } };
type Sent = { method?: string; headers: Record<string, string>; body?: object };

async function call(address: string, { method = "POST", headers, body }: Sent): Promise<Answer> {
  const response = await fetch(address, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${address}: ${await response.text()}`);
  return response.json() as Promise<Answer>;
}

function headersOf(key: Key): Record<string, string> {
  return { "X-Client-Id": key.client_id, "X-Client-Secret": key.client_secret };
}

/** Memory, descriptors and processor time of the two servers. */
async function tell(when: string, worker: Running): Promise<void> {
  console.log(when);
  for (const [name, pid] of [
    ["sqld", sqld.pid],
    ["workerd", worker.pid],
  ] as const) {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const megabytes = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
    const descriptors = (await readdir(`/proc/${pid}/fd`)).length;
    const processor = Math.round((await processorMs(pid)) / 1_000);
    console.log(`  ${name}: ${megabytes} MB, ${descriptors} descriptors, ${processor} s of processor time`);
  }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
