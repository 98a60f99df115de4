// npm run bench:distance: how long each operation takes while databases, objects, queues and files are 1, 20 and 100 ms
// away, and as how many times that distance; then how much one company writes under load with all that 20 ms away.
// `-- --only checkout` measures one operation alone, and may be repeated; `-- --load` the load alone.
// `--rounds 3` and `--seconds 2` say how long a load is.
import "../../src/build/text-modules.ts";
import { parseArgs } from "node:util";
import type { Operation } from "#api/operations/operation.ts";
import { asked, positive } from "./setup/arguments.ts";

const { built, prepare } = await import("../support/operations.ts");
const { openCompany } = await import("../support/company.ts");
const { callFrom, warm } = await import("../support/distance.ts");
const { loadOneCompany } = await import("./measure/distance-load.ts");
const { sends, turnsOf } = await import("../support/round-trips.ts");
const { addressOf, startService } = await import("../support/service.ts");

const DISTANCES_MS = [1, 20, 100];
const HEAD = ["operation", "turns", ...DISTANCES_MS.flatMap((ms) => [`${ms} ms away`, "times"])];

const { wanted, isWhole, load, extent } = asked(() => {
  const {
    values: { only, load: isLoad, ...lengths },
  } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      load: { type: "boolean", default: false },
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "2" },
    },
  });
  const unknown = only.find((name) => !built.some(({ id }) => id === name));
  if (unknown !== undefined) throw new Error(`There is no operation ${unknown}`);
  const rounds = positive("--rounds", lengths.rounds);
  return {
    wanted: built.filter(({ id }) => only.length === 0 || only.includes(id)),
    isWhole: only.length === 0,
    load: isLoad,
    extent: { rounds, seconds: positive("--seconds", lengths.seconds) },
  };
});
const LONGEST_ID = Math.max(...wanted.map(({ id }) => id.length));
const CELL = "100 ms away".length;

if (!load) await measureOperations();
if (isWhole) await loadOneCompany(extent);

async function measureOperations(): Promise<void> {
  // What is queued stays there: its work beside a call would take from the call's time.
  const service = await startService(undefined, ["CONSUMERS"], { distant: true });
  const address = addressOf(service);
  try {
    // Each row is printed as it comes: what is measured stays when the run is ended early.
    tell(HEAD);
    for (const operation of wanted) tell(await rowOf(address, operation));
  } finally {
    await service.stop();
  }
}

function tell([id = "", ...cells]: readonly string[]): void {
  console.log([id.padEnd(LONGEST_ID), ...cells.map((cell) => cell.padStart(CELL))].join("  "));
}

/** The operation's latency at each distance, with a call of its own for each. */
async function rowOf(address: ReturnType<typeof addressOf>, operation: Operation): Promise<string[]> {
  const cells: string[] = [];
  // The first call is not counted: it compiles.
  for (const distanceMs of [0, ...DISTANCES_MS]) {
    const company = await openCompany({}, address);
    const call = await prepare(company, operation);
    await warm(company, sends(operation));
    const { answer, ms } = await callFrom(address, distanceMs, company, call, false);
    if (answer.status !== operation.status) throw new Error(`${operation.id}: ${answer.text}`);
    if (distanceMs > 0) cells.push(`${ms.toFixed(1)} ms`, (ms / distanceMs).toFixed(1));
  }
  return [operation.id, String(turnsOf(operation)), ...cells];
}
