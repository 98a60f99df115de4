// `npm run bench:disk`: what a company takes on sqld's disk, by file: a new one; one that a release without the last
// migration opened, before and after that; and one that has written a lot. And the processor time that opening one takes.
import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { bindingsFor, createNamespace } from "../support/service.ts";
import { buildWorker } from "../support/worker.ts";
import { processorMs } from "./measure/processor.ts";
import { platform } from "./setup/company.ts";
import { olderBundle } from "./setup/older-release.ts";
import { admin, startSqld } from "./setup/sqld.ts";
import { storageOf } from "./setup/storage.ts";
import { apiWorker, type Running, startWorkerd } from "./setup/workerd.ts";

const OPENED = 20;
const WRITES = 4_000;
const { directory } = storageOf("disk");
const data = join(directory, "databases");
const sqld = await startSqld(data);
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
  await platform(before.url, "/platform/companies", { slug: "first", name: "First" });
  await before.stop();
  const name = await newest();
  await tell(`without ${older.without}, file by file`, name);
  const worker = await start("now", bundle);
  await platform(worker.url, "/platform/migrations");
  await platform(worker.url, "/platform/companies/first/migrations");
  await tell(`migrated to ${older.without}`, name);
  await platform(worker.url, "/platform/companies", { slug: "second", name: "Second" });
  await tell("new", await newest());
  await write(name);
  await tell(`after ${WRITES} writes`, name);
  await admin(sqld, `/v1/namespaces/${name}/checkpoint`, { method: "POST" });
  await tell("and a checkpoint", name);
  const [spent, startedAt] = [await processorMs(sqld.pid), performance.now()];
  for (let number = 0; number < OPENED; number += 1)
    await platform(worker.url, "/platform/companies", { slug: `more-${number}`, name: `More ${number}` });
  const [took, waited] = [(await processorMs(sqld.pid)) - spent, performance.now() - startedAt];
  console.log(
    `opening: ${Math.round(took / OPENED)} ms of sqld's processor each, ${Math.round(waited / OPENED)} ms in all`,
  );
  await worker.stop();
}

async function start(name: string, bundle: string): Promise<Running> {
  const bindings = { ...bindingsFor(sqld), DATABASE_PROVIDER: "sqld" };
  return startWorkerd(directory, await apiWorker(name, bundle, bindings));
}

/** Writes small rows, each by a commit of its own. */
async function write(name: string): Promise<void> {
  const client = createClient({ url: `${sqld.url}/dev/${name}/`, authToken: sqld.token });
  await client.execute("CREATE TABLE written (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)");
  for (let number = 0; number < WRITES; number += 1)
    await client.execute({ sql: "INSERT INTO written (text) VALUES (?)", args: [randomUUID().repeat(8)] });
}

async function newest(): Promise<string> {
  const client = createClient({ url: `${sqld.url}/dev/control/`, authToken: sqld.token });
  const { rows } = await client.execute("SELECT database_name FROM companies ORDER BY id DESC LIMIT 1");
  return String(rows[0]?.database_name);
}

async function tell(when: string, name: string): Promise<void> {
  const folder = join(data, "data/dbs", name);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes: string[] = [];
  let sum = 0;
  for (const file of files.filter((one) => one.isFile())) {
    const { blocks } = await stat(join(file.parentPath, file.name));
    sum += blocks * 512;
    if (blocks > 0) sizes.push(`${file.name} ${megabytes(blocks * 512)}`);
  }
  console.log(`${when}: ${megabytes(sum)} MB (${sizes.join(", ")})`);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(2);
}
