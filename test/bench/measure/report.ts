import type { Storage } from "../setup/storage.ts";
import type { Comparison, Ratio, Side, SideName } from "./measure.ts";

/** All comparisons with the databases in one kind of storage. */
export type Pass = { storage: Storage; comparisons: Comparison[] };

const BUSY = 16;
// A side that rested while others had their turn begins anew, so this is judged where it runs alone.
const TAIL = 3;
const HEAD = "scenario,at,,requests/s,p50 ms,p99 ms,max ms,worker ms,db ms,db".split(",");

/** What the passes miss of what must hold; rates and times are judged with the databases in memory alone. */
export function failuresOf(passes: readonly Pass[]): string[] {
  const sides = passes.flatMap(({ comparisons }) => comparisons.flatMap((each) => Object.values(each.sides)));
  const errors = sides.reduce((sum, side) => sum + side.errors, 0);
  const judged = passes
    .filter(({ storage }) => storage.kind === "memory")
    .flatMap(({ comparisons }) => comparisons.filter(({ connections }) => connections === BUSY));
  return [
    ...(errors > 0 ? [`${errors} replies had another status than they must`] : []),
    ...judged.flatMap(slownessOf),
  ];
}

function slownessOf({ scenario, ratios, least = 0, leastKept = 0, sides }: Comparison): string[] {
  const kept = 1 / (ratios.kept?.median ?? 0);
  const ratio = ratios.floor?.median;
  const { p50, p99 } = sides.api ?? { p50: Number.NaN, p99: Number.NaN };
  return [
    ...(ratio !== undefined && ratio < least
      ? [`${scenario} at ${BUSY}: ratio ${ratio.toFixed(2)}, under ${least.toFixed(2)}`]
      : []),
    ...(kept < leastKept
      ? [`${scenario} at ${BUSY}: kept ${kept.toFixed(2)} times, under ${leastKept.toFixed(2)}`]
      : []),
    ...(ratio === undefined && p99 > TAIL * p50
      ? [`${scenario} at ${BUSY}: p99 ${p99.toFixed(1)} ms, over ${TAIL} times p50 ${p50.toFixed(1)} ms`]
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
  const names = new Set(comparisons.flatMap(({ ratios }) => Object.keys(ratios) as SideName[]));
  // The API's row has its ratio to each other side; that of kept answers has its own to the API.
  const columns = [...[...names].filter((name) => name !== "kept"), ...(names.has("kept") ? ["api"] : [])];
  const head = [...HEAD, "errors", ...columns.flatMap((name) => [`of ${name}`, "rounds", "time"])];
  const cellsBeside = (side: string, { ratios, times }: Comparison) =>
    columns.flatMap((name) => {
      if (name === "api") return side === "kept" ? ratioCells(inverse(ratios.kept), inverse(times.kept)) : [];
      return side === "api" ? ratioCells(ratios[name as SideName], times[name as SideName]) : ["", "", ""];
    });
  const rows = comparisons.flatMap((comparison) =>
    Object.entries(comparison.sides).map(([name, side], index) => [
      ...(index === 0 ? [comparison.scenario, String(comparison.connections)] : ["", ""]),
      name,
      ...cellsOf(side),
      ...cellsBeside(name, comparison),
    ]),
  );
  return [
    `databases ${storage.kind === "memory" ? "in memory" : "on disk"} (${storage.note})`,
    ...align([head, ...rows], [0, 2]),
    "",
  ];
}

function cellsOf(side: Side): string[] {
  const { rate, p50, p99, max, workerMs, databaseMs, databaseRequests, errors } = side;
  const numbers = [p50, p99, max, workerMs, databaseMs, databaseRequests].map((number) => number.toFixed(2));
  return [rate.toFixed(0), ...numbers, String(errors)];
}

function ratioCells(ratio: Ratio | undefined, time: Ratio | undefined): string[] {
  if (ratio === undefined) return ["", "", ""];
  const { median, least, most } = ratio;
  return [median.toFixed(2), `${least.toFixed(2)}-${most.toFixed(2)}`, (time?.median ?? 0).toFixed(2)];
}

function inverse(ratio: Ratio | undefined): Ratio | undefined {
  if (ratio === undefined) return undefined;
  return { median: 1 / ratio.median, least: 1 / ratio.most, most: 1 / ratio.least };
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
