import { createClient } from "@libsql/client/http";
import type { Recorder } from "../recording/recorder.ts";
import { askedOf, type Statement } from "../recording/statements.ts";
import type { Company, Scenario } from "../scenarios.ts";
import type { Sqld } from "../setup/sqld.ts";
import { type Plan, type Plans, planName } from "./plan.ts";
import { changesOf, rowsOf, type Table, tablesOf } from "./tables.ts";
import { writesOf } from "./writes.ts";

// Primes above what any call stores in one table: so no two operations come to the same numbers.
const SCALES = [23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89].map((prime) => prime * 1e6);

/**
 * What the floor does for each scenario, as the API does it now: calls the API alone, and keeps what it reads, the rows
 * that it stores and what it answers.
 */
export async function plansOf(
  recorder: Recorder,
  sqld: Sqld,
  company: Company,
  scenarios: readonly Scenario[],
): Promise<Plans> {
  const client = createClient({ url: company.databaseUrl, authToken: sqld.token });
  const tables = await tablesOf(client);
  const plans: Plans = {};
  for (const [index, scenario] of scenarios.entries()) {
    const [path = ""] = scenario.path.split("?");
    const scale = SCALES[index];
    if (scale === undefined) throw new Error("There are more scenarios than scales");
    const look = () => rowsOf(client, tables);
    plans[planName(scenario.method, path)] = await planOf(recorder, look, tables, scenario, scale);
  }
  return plans;
}

async function planOf(
  recorder: Recorder,
  look: () => ReturnType<typeof rowsOf>,
  tables: readonly Table[],
  scenario: Scenario,
  scale: number,
): Promise<Plan> {
  // The first one lets the isolate know its key, and may store what the ones after it find.
  await recorder.call(scenario);
  const before = await look();
  const { answer, sent } = await recorder.call(scenario);
  const after = await look();
  await recorder.call(scenario);
  const asked = askedOf(sent);
  const read = asked.find(({ isWrite, namespace }) => !isWrite && namespace !== "control");
  const isWrite = asked.some((request) => request.isWrite);
  const gateway = sent.find(({ url }) => !url.includes("/dev/")) ?? null;
  return {
    status: scenario.status,
    answer,
    parses: !isWrite,
    read: read === undefined ? null : readOf(read.statements),
    gateway,
    write: isWrite
      ? writesOf(changesOf(tables, before, after), changesOf(tables, after, await look()), scale)
      : [],
  };
}

/** One statement as it stands; several in one transaction, so that all see the same. */
function readOf(statements: readonly Statement[]): string {
  const texts = statements.map((statement) => ({ ...statement, want_rows: true }));
  if (texts.length === 1) return JSON.stringify({ type: "execute", stmt: texts[0] });
  const framed = [{ sql: "BEGIN TRANSACTION READONLY" }, ...texts, { sql: "COMMIT" }];
  return JSON.stringify({ type: "batch", batch: { steps: framed.map((stmt) => ({ stmt })) } });
}
