// npm run bench:statements: what the statements of the ten most frequent writes cost. The Worker's own requests are
// kept, and sent again: to plain SQLite, statement by statement, and to sqld, batch by batch, over an open stream.
// `-- --calls 20` says how many calls of each; `--only checkout` measures one, and may be repeated.
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "@libsql/client/http";
import { buildWorker } from "../support/worker.ts";
import { copyOf } from "./floor/database.ts";
import { align } from "./measure/report.ts";
import { type Recorder, startRecorder } from "./recording/recorder.ts";
import { type Asked, askedOf, onOpenStream } from "./recording/statements.ts";
import { scenariosOf } from "./scenarios.ts";
import { asked, positive } from "./setup/arguments.ts";
import { startGateway } from "./setup/gateway.ts";
import { apiBindings, fill, namespaceOf } from "./setup/service.ts";
import { startSqld } from "./setup/sqld.ts";
import { storageOf } from "./setup/storage.ts";
import { apiWorker } from "./setup/workerd.ts";
import { type Write, writesOf } from "./statements/calls.ts";
import { type Timed, timed } from "./statements/plain.ts";
import { type Cost, costOf, transaction } from "./statements/replay.ts";

const FIRST_NUMBER = 1_000;
const TEXT = 60;

const { calls, only } = asked(() => {
  const {
    values: { only: names, calls: count },
  } = parseArgs({
    options: {
      calls: { type: "string", default: "20" },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  return { only: names, calls: positive("--calls", count) };
});

const { directory, note } = storageOf("disk");
const sqld = await startSqld(join(directory, "databases"));
const gateway = await startGateway();
const bindings = apiBindings(sqld, gateway.url);
const api = await apiWorker("api", await buildWorker(join(directory, "worker")), bindings);
const company = await fill(directory, api, sqld, bindings);
const namespace = namespaceOf(company.databaseUrl);
const recorder = await startRecorder(directory, api, company);
let number = FIRST_NUMBER;
try {
  const writes = writesOf(company, scenariosOf(company));
  const wanted = writes.filter(({ name }) => only.length === 0 || only.includes(name));
  if (wanted.length === 0) throw new Error(`There are only ${writes.map(({ name }) => name).join(", ")}`);
  console.log(`databases in ${note}; ${calls} calls of each; times in ms, medians, processor time the mean`);
  const rows: string[][] = [];
  for (const write of wanted) rows.push(await measure(write));
  console.log(
    align([
      ["write", "statements", "KB", "prepare", "run", "sqld wall", "sqld processor", "reads", "their ms"],
      ...rows,
      ...(await leastRows()),
    ]).join("\n"),
  );
} finally {
  await recorder.stop();
  gateway.stop();
  await sqld.stop();
}

/** Prints the statements of one write, and gives its row of the last table. */
async function measure(write: Write): Promise<string[]> {
  const { before, recorded } = await record(recorder, write);
  const own = recorded.map((requests) => requests.filter((one) => one.namespace === namespace));
  const [first = []] = own;
  const statements = first.filter(({ isWrite }) => isWrite).flatMap((one) => one.statements);
  const reads = first.filter(({ isWrite }) => !isWrite).flatMap((one) => one.statements);
  const [times, readTimes] = [timed(before.file, statements), timed(before.file, reads)];
  const cost = await costOf(sqld, before.url, pipelinesOf(own));
  console.log(`\n${write.name}`);
  console.log(align([["prepare", "run", "KB", "statement"], ...times.map(rowOf)], [3]).join("\n"));
  return [write.name, String(statements.length), ...sums(times), ...cells(cost), ...sumsOfReads(readTimes)];
}

/** A copy of the database as it was, for sqld and as a file, and what each call asked after that. */
async function record({ send }: Recorder, { name, first, call }: Write) {
  // One more lets the isolate know the key, and stores what later calls find.
  const replies: unknown[] = [];
  for (let count = 0; count <= calls; count += 1) {
    number += 1;
    replies.push(first === undefined ? null : (await send(first(number))).answer);
  }
  const [warmUp, ...others] = replies;
  number += 1;
  await send(call(number, warmUp));
  const copy = `before-${name.replaceAll(" ", "-")}`;
  const before = { url: await copyOf(sqld, namespace, copy), file: join(directory, `${copy}.db`) };
  await copyFiles(copy, before.file);
  const recorded: Asked[][] = [];
  for (const reply of others) {
    number += 1;
    recorded.push(askedOf((await send(call(number, reply))).sent));
  }
  return { before, recorded };
}

/** Copies a database that no client has open, with what is in its log. */
async function copyFiles(name: string, to: string): Promise<void> {
  const folder = join(directory, "databases/data/dbs", name);
  for (const file of await readdir(folder))
    if (file === "data" || file === "data-wal")
      await copyFile(join(folder, file), to + file.slice("data".length));
}

function pipelinesOf(calls: readonly Asked[][]): string[][] {
  return calls.map((requests) =>
    requests.filter(({ isWrite }) => isWrite).flatMap(({ request }) => onOpenStream(request)),
  );
}

/** The least that a transaction costs: one of no statements, and one of a plain insert. */
async function leastRows(): Promise<string[][]> {
  const url = await copyOf(sqld, namespace, "least");
  const client = createClient({ url, authToken: sqld.token });
  await client.execute("CREATE TABLE plain (id INTEGER PRIMARY KEY, value TEXT)");
  const many = 10 * calls;
  const of = async (name: string, ...statements: string[]) => {
    const cost = await costOf(
      sqld,
      url,
      Array.from({ length: many }, () => transaction(...statements)),
    );
    return [name, String(statements.length), "", "", "", ...cells(cost), "", ""];
  };
  return [await of("empty batch"), await of("a plain insert", "INSERT INTO plain (value) VALUES ('x')")];
}

function rowOf({ sql, bytes, prepareMs, runMs }: Timed): string[] {
  const text = sql.replaceAll(/\s+/g, " ").slice(0, TEXT);
  return [prepareMs.toFixed(3), runMs.toFixed(3), (bytes / 1_000).toFixed(1), text];
}

function sums(times: readonly Timed[]): string[] {
  const sum = (of: (one: Timed) => number) => times.reduce((total, one) => total + of(one), 0);
  return [
    (sum(({ bytes }) => bytes) / 1_000).toFixed(1),
    sum(({ prepareMs }) => prepareMs).toFixed(2),
    sum(({ runMs }) => runMs).toFixed(2),
  ];
}

function sumsOfReads(times: readonly Timed[]): string[] {
  const total = times.reduce((sum, { prepareMs, runMs }) => sum + prepareMs + runMs, 0);
  return [String(times.length), total.toFixed(2)];
}

function cells({ wallMs, processorMs }: Cost): string[] {
  return [wallMs.toFixed(2), processorMs.toFixed(2)];
}
