import type { Company, Scenario } from "../scenarios.ts";
import type { Running } from "../setup/workerd.ts";
import { loadOf, median } from "./measure.ts";
import { align } from "./report.ts";

type Load = { company: Company; scenarios: readonly Scenario[] };
type Extent = { rounds: number; seconds: number };

const CALLERS = [1, 16, 64];
const DISTANCES_MS = [0, 20] as const;
const CALLERS_OF_EACH = 16;

/** Prints the writes a second of one company at each distance, in turns, and what share of them is kept far away. */
export async function printDistantLoads(
  { url }: Running,
  { company, scenarios }: Load,
  { rounds, seconds }: Extent,
): Promise<void> {
  const rows: string[][] = [];
  for (const scenario of scenarios)
    for (const callers of CALLERS) {
      const rates: Record<number, number[]> = { 0: [], 20: [] };
      let refused = 0;
      // The first round compiles, and opens streams.
      for (let round = 0; round <= rounds; round += 1)
        for (const distanceMs of DISTANCES_MS) {
          await fetch(`${url}/test/distance/${distanceMs}`, { method: "PUT" });
          const { rate, errors } = await load(url, { company, scenario, callers, seconds });
          if (round > 0) rates[distanceMs]?.push(rate);
          refused += errors;
        }
      const [near, far] = DISTANCES_MS.map((distanceMs) => median(rates[distanceMs] ?? []));
      const share = (far ?? 0) / (near ?? 0);
      rows.push([
        scenario.name,
        String(callers),
        ...[near, far].map((rate) => (rate ?? 0).toFixed(1)),
        share.toFixed(2),
        String(refused),
      ]);
    }
  await fetch(`${url}/test/distance/0`, { method: "PUT" });
  const head = ["one company, writes a second", "callers", "0 ms", "20 ms away", "kept", "refused"];
  console.log(align([head, ...rows]).join("\n"));
}

/** Prints what several workerd processes write for one company at once: together, refused, and how long it took. */
export async function printManyProcesses(
  workers: readonly Running[],
  { company, scenarios }: Load,
  { rounds, seconds }: Extent,
): Promise<void> {
  const rows: string[][] = [];
  for (const scenario of scenarios)
    for (const some of [workers.slice(0, 1), workers]) {
      const all: { rate: number; p50: number; p99: number; max: number; errors: number }[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const tallies = await Promise.all(
          some.map(({ url }) => load(url, { company, scenario, callers: CALLERS_OF_EACH, seconds })),
        );
        const worst = (of: (tally: (typeof tallies)[number]) => number) => Math.max(...tallies.map(of));
        const sum = (of: (tally: (typeof tallies)[number]) => number) =>
          tallies.reduce((total, tally) => total + of(tally), 0);
        if (round === 0) continue;
        const errors = sum((tally) => tally.errors);
        all.push({
          rate: sum(({ rate, requests, errors: refused }) => (rate * (requests - refused)) / requests),
          errors,
          p50: median(tallies.map(({ p50 }) => p50)),
          p99: worst(({ p99 }) => p99),
          max: worst(({ max }) => max),
        });
      }
      const figures = (["rate", "p50", "p99"] as const).map((name) =>
        median(all.map((round) => round[name])).toFixed(1),
      );
      const refused = all.reduce((total, { errors }) => total + errors, 0);
      const slowest = Math.max(...all.map(({ max }) => max)).toFixed(0);
      rows.push([scenario.name, String(some.length), ...figures, slowest, String(refused)]);
    }
  const head = [
    `one company, ${CALLERS_OF_EACH} callers of each`,
    ...["processes", "writes a second", "p50 ms", "p99 ms", "slowest ms", "refused"],
  ];
  console.log(align([head, ...rows]).join("\n"));
}

type One = { company: Company; scenario: Scenario; callers: number; seconds: number };

function load(url: string, { company, scenario, callers, seconds }: One) {
  return loadOf(url, company, scenario, { connections: callers, seconds, first: null });
}
