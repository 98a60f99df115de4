// npm run bench [-- --json] [-- NAME ...]: the production bundle in workerd under load, beside a bare Worker that makes the same
// calls. Takes about five minutes; only the ratios can be compared between machines.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLibsql } from "../support/libsql/index.ts";
import { buildWorker } from "../support/service.ts";
import { callOnce } from "./company.ts";
import { measureFirstSlots } from "./first-slots.ts";
import { startGateway } from "./gateway.ts";
import { type Comparison, compare } from "./measure.ts";
import { failuresOf, type Report, render } from "./report.ts";
import type { Scenario } from "./scenarios.ts";
import { gzippedBytes, prepare, startBoth } from "./service.ts";

const CONNECTIONS = [1, 16];

const directory = mkdtempSync(join(tmpdir(), "company-operations-bench-"));
// However it ends, no process and no file of it stays: workerd is killed at exit, the libSQL server ends with us.
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const report = await bench();
const failures = failuresOf(report);
console.log(process.argv.includes("--json") ? JSON.stringify({ ...report, failures }) : render(report));
for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

/** All scenarios, or those whose names begin with one of the words given. */
function isWanted({ name }: Scenario): boolean {
  const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  return words.length === 0 || words.some((word) => name.startsWith(word));
}

async function bench(): Promise<Report> {
  const [libsql, bundle] = await Promise.all([
    startLibsql(join(directory, "databases")),
    buildWorker(join(directory, "worker")),
  ]);
  const gateway = await startGateway();
  await fetch(`${libsql.adminUrl}/v1/namespaces/control/create`, { method: "POST", body: "{}" });
  const prepared = await prepare(directory, bundle, libsql, gateway.url);
  const [read] = prepared.scenarios;
  if (read === undefined) throw new Error("There is nothing to measure");

  const startedAt = performance.now();
  const { urls, stop } = await startBoth(directory, bundle, libsql, gateway.url, prepared);
  const { api = "", floor = "" } = urls;
  await fetch(`${api}/health`);
  const firstAnswerMs = performance.now() - startedAt;
  await callOnce(api, prepared.company, read);
  const firstReadMs = performance.now() - startedAt;

  const comparisons: Comparison[] = [];
  const addresses = { api, floor, databaseAdmin: libsql.adminUrl };
  for (const scenario of prepared.scenarios.filter(isWanted))
    for (const connections of CONNECTIONS)
      comparisons.push(await compare(addresses, prepared.company, scenario, connections));
  await stop();
  gateway.stop();
  await libsql.stop();
  const firstSlotsMs = measureFirstSlots();
  return { bundleBytes: await gzippedBytes(bundle), firstAnswerMs, firstReadMs, firstSlotsMs, comparisons };
}
