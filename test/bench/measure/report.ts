import type { Storage } from "../setup/storage.ts";
import type { Beside, Comparison, Side } from "./measure.ts";

/** All comparisons with the databases in one kind of storage. */
export type Pass = { storage: Storage; comparisons: Comparison[] };

const BUSY = 16;
const MOST_TIME = 1.05;
const LEAST_KEPT = 3;
// A side that rested while others had their turn begins anew, so this is judged where it runs alone.
const TAIL = 3;
const HEAD =
  "scenario,at,,requests/s,p50 ms,p99 ms,max ms,worker ms,db ms,db,errors,beside,rate,rounds,time".split(",");

/** What the passes miss of what must hold; rates and times are judged with the databases in memory alone. */
export function failuresOf(passes: readonly Pass[]): string[] {
  const sides = passes.flatMap(({ comparisons }) => comparisons.flatMap((each) => Object.values(each.sides)));
  const errors = sides.reduce((sum, side) => sum + side.errors, 0);
  const judged = passes
    .filter(({ storage }) => storage.kind === "memory")
    .flatMap(({ comparisons }) => comparisons.filter(({ connections }) => connections === BUSY));
  return [
    ...(errors > 0 ? [`${errors} replies had another status than they must`] : []),
    ...judged.flatMap((one) => slownessOf(one).map((text) => `${one.scenario} at ${BUSY}: ${text}`)),
  ];
}

function slownessOf({ beside, sides }: Comparison): string[] {
  const time = beside.api?.time.median ?? 0;
  const kept = beside.kept?.rate.median ?? LEAST_KEPT;
  const { p50, p99 } = sides.api ?? { p50: Number.NaN, p99: Number.NaN };
  const isAlone = Object.keys(sides).length === 1;
  return [
    ...(time > MOST_TIME ? [`time ${time.toFixed(2)}, over ${MOST_TIME}`] : []),
    ...(kept < LEAST_KEPT ? [`kept ${kept.toFixed(2)} times, under ${LEAST_KEPT}`] : []),
    ...(isAlone && p99 > TAIL * p50
      ? [`p99 ${p99.toFixed(1)} ms, over ${TAIL} times p50 ${p50.toFixed(1)} ms`]
      : []),
  ];
}

/** The passes as lines of text, its numbers aligned. */
export function render(passes: readonly Pass[]): string {
  return [
    ...passes.flatMap(linesOf),
    "Figures are medians of the rounds; worker ms and db ms are processor time for each request, and time their sum beside the other side's.",
  ].join("\n");
}

function linesOf({ storage, comparisons }: Pass): string[] {
  const rows = comparisons.flatMap(({ scenario, connections, sides, beside }) =>
    Object.entries(sides).map(([name, side], index) => [
      ...(index === 0 ? [scenario, String(connections)] : ["", ""]),
      name,
      ...cellsOf(side),
      ...(name === "api" ? besideCells("before", beside.api) : []),
      ...(name === "kept" ? besideCells("api", beside.kept) : []),
    ]),
  );
  return [
    `databases ${storage.kind === "memory" ? "in memory" : "on disk"} (${storage.note})`,
    ...align([HEAD, ...rows], [0, 2]),
    "",
  ];
}

function cellsOf(side: Side): string[] {
  const { rate, p50, p99, max, workerMs, databaseMs, databaseRequests, errors } = side;
  const numbers = [p50, p99, max, workerMs, databaseMs, databaseRequests].map((number) => number.toFixed(2));
  return [rate.toFixed(0), ...numbers, String(errors)];
}

function besideCells(name: string, beside: Beside | undefined): string[] {
  if (beside === undefined) return [];
  const { median, least, most } = beside.rate;
  return [name, median.toFixed(2), `${least.toFixed(2)}-${most.toFixed(2)}`, beside.time.median.toFixed(2)];
}

/** The rows as lines, their cells below one another; `words` are the columns that hold no numbers. */
export function align(rows: readonly string[][], words: readonly number[] = [0]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return words.includes(column) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
