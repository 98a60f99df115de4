import { join } from "node:path";
import { buildWorker } from "../../support/worker.ts";
import { type Company, type Scenario, scenariosOf } from "../scenarios.ts";
import { startGateway } from "../setup/gateway.ts";
import { filled } from "../setup/service.ts";
import { startSqld } from "../setup/sqld.ts";
import { storageOf } from "../setup/storage.ts";
import { startWorkerd, telling } from "../setup/workerd.ts";
import { type Extent, loadOf, median } from "./measure.ts";
import { align } from "./report.ts";

const WRITES = { "event-bearing write": "customer create", checkout: "checkout" };
const CALLERS = [1, 16, 64];
const DISTANCES_MS = [0, 20] as const;

/** Loads one company from near and far; prints what it writes. */
export async function loadOneCompany(extent: Extent): Promise<void> {
  const { directory } = storageOf("memory");
  const sqld = await startSqld(join(directory, "databases"));
  const gateway = await startGateway();
  const bundle = await buildWorker(join(directory, "worker"));
  const { api, company } = await filled(directory, "api", bundle, sqld, gateway.url);
  const { url, stop } = await startWorkerd(directory, await telling(directory, api));
  try {
    const rows: string[][] = [];
    for (const scenario of scenariosOf(company)) {
      const name = WRITES[scenario.name as keyof typeof WRITES];
      if (name !== undefined) rows.push(...(await distantLoads(url, company, { ...scenario, name }, extent)));
    }
    const head = ["one company, writes a second", "callers", "0 ms", "20 ms away", "kept", "refused"];
    console.log(align([head, ...rows]).join("\n"));
  } finally {
    await stop();
    gateway.stop();
    await sqld.stop();
  }
}

/** The writes a second at each distance, in turns, and what share of them is kept far away. */
async function distantLoads(
  url: string,
  company: Company,
  scenario: Scenario,
  { rounds, seconds }: Extent,
): Promise<string[][]> {
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
