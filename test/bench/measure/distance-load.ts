import { join } from "node:path";
import { buildWorker } from "../../support/worker.ts";
import { type Company, type Scenario, scenariosOf } from "../scenarios.ts";
import { startGateway } from "../setup/gateway.ts";
import { filled } from "../setup/service.ts";
import { startSqld } from "../setup/sqld.ts";
import { storageOf } from "../setup/storage.ts";
import { type Running, startWorkerd, telling } from "../setup/workerd.ts";
import { loadOf, median } from "./measure.ts";
import { align } from "./report.ts";

type Extent = { rounds: number; seconds: number; processes: number | undefined };

const WRITES = { "event-bearing write": "customer create", checkout: "checkout" };
const CALLERS = [1, 16, 64];
const DISTANCES_MS = [0, 20] as const;
const CALLERS_OF_EACH = 16;

/** Loads one company from near and far, or, with several `processes`, from all of them at once; prints what it writes. */
export async function loadOneCompany(extent: Extent): Promise<void> {
  const { directory } = storageOf("memory");
  const sqld = await startSqld(join(directory, "databases"));
  const gateway = await startGateway();
  const bundle = await buildWorker(join(directory, "worker"));
  const { api, company } = await filled(directory, "api", bundle, sqld, gateway.url);
  const { processes } = extent;
  const workers =
    processes === undefined
      ? [await telling(directory, api)]
      : Array.from({ length: processes }, (_, index) => ({ ...api, name: `api-${index}` }));
  const running = await Promise.all(workers.map((worker) => startWorkerd(directory, worker)));
  try {
    const measure = processes === undefined ? distantLoads : manyProcesses;
    const rows: string[][] = [];
    for (const scenario of scenariosOf(company)) {
      const name = WRITES[scenario.name as keyof typeof WRITES];
      if (name !== undefined) rows.push(...(await measure(running, company, { ...scenario, name }, extent)));
    }
    const head =
      processes === undefined
        ? ["one company, writes a second", "callers", "0 ms", "20 ms away", "kept", "refused"]
        : [
            `one company, ${CALLERS_OF_EACH} callers of each`,
            ...["processes", "writes a second", "p50 ms", "p99 ms", "slowest ms", "refused"],
          ];
    console.log(align([head, ...rows]).join("\n"));
  } finally {
    for (const worker of running) await worker.stop();
    gateway.stop();
    await sqld.stop();
  }
}

/** The writes a second at each distance, in turns, and what share of them is kept far away. */
async function distantLoads(
  [worker]: readonly Running[],
  company: Company,
  scenario: Scenario,
  { rounds, seconds }: Extent,
): Promise<string[][]> {
  const { url } = worker as Running;
  const rows: string[][] = [];
  for (const connections of CALLERS) {
    const rates: Record<number, number[]> = { 0: [], 20: [] };
    let refused = 0;
    // The first round compiles, and opens streams.
    for (let round = 0; round <= rounds; round += 1)
      for (const distanceMs of DISTANCES_MS) {
        await fetch(`${url}/test/distance/${distanceMs}`, { method: "PUT" });
        const { rate, errors } = await loadOf(url, company, scenario, { connections, seconds, first: null });
        if (round > 0) rates[distanceMs]?.push(rate);
        refused += errors;
      }
    const [near = 0, far = 0] = DISTANCES_MS.map((distanceMs) => median(rates[distanceMs] ?? []));
    const figures = [near.toFixed(1), far.toFixed(1), (far / near).toFixed(2)];
    rows.push([scenario.name, String(connections), ...figures, String(refused)]);
  }
  await fetch(`${url}/test/distance/0`, { method: "PUT" });
  return rows;
}

/** What several processes write at once: together, refused, and how long it took; beside what one does. */
async function manyProcesses(
  workers: readonly Running[],
  company: Company,
  scenario: Scenario,
  { rounds, seconds }: Extent,
): Promise<string[][]> {
  const extent = { connections: CALLERS_OF_EACH, seconds, first: null };
  const rows: string[][] = [];
  for (const some of [workers.slice(0, 1), workers]) {
    const all: Record<"rate" | "p50" | "p99" | "max" | "errors", number>[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const tallies = await Promise.all(some.map(({ url }) => loadOf(url, company, scenario, extent)));
      const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
      if (round === 0) continue;
      all.push({
        rate: sum(tallies.map(({ rate, requests, errors }) => (rate * (requests - errors)) / requests)),
        errors: sum(tallies.map(({ errors }) => errors)),
        p50: median(tallies.map(({ p50 }) => p50)),
        p99: Math.max(...tallies.map(({ p99 }) => p99)),
        max: Math.max(...tallies.map(({ max }) => max)),
      });
    }
    const figures = (["rate", "p50", "p99"] as const).map((name) => median(all.map((round) => round[name])));
    const refused = all.reduce((total, { errors }) => total + errors, 0);
    const slowest = Math.max(...all.map(({ max }) => max)).toFixed(0);
    const shown = figures.map((figure) => figure.toFixed(1));
    rows.push([scenario.name, String(some.length), ...shown, slowest, String(refused)]);
  }
  return rows;
}
