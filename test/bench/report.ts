import type { Comparison, Side } from "./measure.ts";

export type Report = {
  /** The upload's size, compressed, and of it what is loaded before the first request. */
  bundleBytes: { upload: number; start: number };
  /** From starting workerd to the first answer, and to the first that reads both databases. */
  firstAnswerMs: number;
  firstReadMs: number;
  /** Processor time of looking for the first slots of 200 instructors. */
  firstSlotsMs: { cold: number; warm: number };
  comparisons: Comparison[];
};

const BUNDLE_LIMIT = 150 * 1024;
const BUSY = 16;
const FIRST_SLOTS_MS = 40;

/** What the report misses of what must hold; the last is a goal that a busy machine can blur. */
export function failuresOf({ bundleBytes, firstSlotsMs, comparisons }: Report): string[] {
  const errors = comparisons.reduce((sum, { api, floor }) => sum + api.errors + floor.errors, 0);
  const slow = comparisons.filter(
    ({ connections, ratio, least }) => connections === BUSY && least !== undefined && ratio < least,
  );
  const uneven = comparisons.filter(
    ({ connections, api, tail }) => connections === BUSY && tail !== undefined && api.p99 > tail * api.p50,
  );
  return [
    ...(errors > 0 ? [`${errors} replies had another status than they must`] : []),
    ...(bundleBytes.start > BUNDLE_LIMIT
      ? [`The start loads ${kilobytes(bundleBytes.start)}, over ${kilobytes(BUNDLE_LIMIT)}`]
      : []),
    ...(firstSlotsMs.warm > FIRST_SLOTS_MS
      ? [`with_next takes ${firstSlotsMs.warm.toFixed(0)} ms, over ${FIRST_SLOTS_MS}`]
      : []),
    ...slow.map(
      ({ scenario, ratio, least }) => `${scenario} at ${BUSY}: ratio ${ratio.toFixed(2)}, under ${least}`,
    ),
    ...uneven.map(
      ({ scenario, api, tail }) =>
        `${scenario} at ${BUSY}: p99 ${api.p99.toFixed(1)} ms, over ${tail} times p50 ${api.p50.toFixed(1)} ms`,
    ),
  ];
}

/** The report as lines of text, its numbers aligned. */
export function render(report: Report): string {
  const head = [
    "scenario",
    "at",
    "",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "db/request",
    "errors",
    "ratio",
    "of rounds",
  ];
  const rows = report.comparisons.flatMap(({ scenario, connections, api, floor, ratio, ratios }) => [
    [scenario, String(connections), "api", ...cellsOf(api), ratio.toFixed(2), rangeOf(ratios)],
    ["", "", "floor", ...cellsOf(floor), "", ""],
  ]);
  return [
    ...align([head, ...rows]),
    "",
    `bundle: ${kilobytes(report.bundleBytes.start)} gzipped at start (at most ${kilobytes(BUNDLE_LIMIT)}), ${kilobytes(report.bundleBytes.upload)} in all`,
    `start: first answer after ${report.firstAnswerMs.toFixed(0)} ms, first read after ${report.firstReadMs.toFixed(0)} ms`,
    `with_next of 200 instructors, booked up for 90 days: ${report.firstSlotsMs.warm.toFixed(0)} ms of processor time (${report.firstSlotsMs.cold.toFixed(0)} the first time)`,
  ].join("\n");
}

function cellsOf({ rate, p50, p99, databaseRequests, errors }: Side): string[] {
  return [rate.toFixed(0), p50.toFixed(2), p99.toFixed(2), databaseRequests.toFixed(2), String(errors)];
}

function rangeOf(ratios: readonly number[]): string {
  return `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

// The first and third columns hold words, the others numbers.
function align(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column === 2 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
