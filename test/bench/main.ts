// npm run bench: the production bundle in workerd under load, on a real libSQL server, beside another release's.
// docs/benchmark.md describes its output and its options.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildWorker } from "../support/worker.ts";
import { Bench, type Comparison } from "./measure/measure.ts";
import { failuresOf, type Pass, render } from "./measure/report.ts";
import { SCENARIO_NAMES } from "./scenarios.ts";
import { asked, positive } from "./setup/arguments.ts";
import { startGateway } from "./setup/gateway.ts";
import { type Bundles, startSides } from "./setup/service.ts";
import { startSqld } from "./setup/sqld.ts";
import { type Storage, storageOf } from "./setup/storage.ts";

// What is judged is measured in most rounds.
const ROUNDS_BY_CONNECTIONS: Record<string, number> = { 1: 0.6, 16: 1, 64: 0.6 };

const options = asked(readOptions);
const { only, at, rounds, seconds } = options;
// However it ends, no process and no file of it stays.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const passes = await bench();
const failures = failuresOf(passes);
console.log(options.json ? JSON.stringify({ passes, failures }) : render(passes));
for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

function readOptions() {
  const { values } = parseArgs({
    options: {
      memory: { type: "boolean", default: false },
      disk: { type: "boolean", default: false },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: [] },
      at: { type: "string", multiple: true, default: Object.keys(ROUNDS_BY_CONNECTIONS) },
      against: { type: "string" },
      alone: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { at, only } = values;
  const other = at.find((connections) => ROUNDS_BY_CONNECTIONS[connections] === undefined);
  if (other !== undefined) throw new Error(`--at must be 1, 16 or 64: ${other}`);
  const unknown = only.find((name) => !SCENARIO_NAMES.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no scenario ${unknown}, only ${SCENARIO_NAMES.join(", ")}`);
  const rounds = positive("--rounds", values.rounds);
  return { ...values, rounds, seconds: positive("--seconds", values.seconds) };
}

async function bench(): Promise<Pass[]> {
  const kinds = (["memory", "disk"] as const).filter(
    (kind) => options[kind] || !(options.memory || options.disk),
  );
  const storages = kinds.map(storageOf);
  const [{ directory = "" } = {}] = storages;
  const bundles = { api: await buildWorker(join(directory, "worker")), before: options.against };
  const passes: Pass[] = [];
  for (const storage of storages) passes.push(await pass(storage, bundles));
  return passes;
}

async function pass(storage: Storage, bundles: Bundles): Promise<Pass> {
  const sqld = await startSqld(join(storage.directory, "databases"));
  const gateway = await startGateway();
  const { sides, stop } = await startSides(storage.directory, bundles, sqld, gateway.url);
  const wanted = sides.api.scenarios.filter(({ name }) => only.length === 0 || only.includes(name));
  const running = new Bench(options.alone ? { api: sides.api } : sides);
  const comparisons: Comparison[] = [];
  for (const scenario of wanted)
    for (const connections of at) {
      console.error(`${storage.kind}: ${scenario.name} at ${connections}`);
      const extent = { rounds: Math.ceil(rounds * (ROUNDS_BY_CONNECTIONS[connections] ?? 1)), seconds };
      comparisons.push(await running.compare(scenario.name, Number(connections), extent));
    }
  await stop();
  gateway.stop();
  await sqld.stop();
  return { storage, comparisons };
}
