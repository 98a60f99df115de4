import { counted } from "#shared/text/counted.ts";
import { printable } from "../failure.ts";
import { print } from "../request.ts";
import type { Dumped } from "./dump/dump.ts";
import type { RestoredFiles } from "./files/restore-files.ts";
import type { FileSum } from "./files/section.ts";

/** Writes the line, or the result as JSON. */
export function report(args: { json: boolean }, result: object, line: string): void {
  if (args.json) print(result);
  else process.stdout.write(`${line}\n`);
}

/** Names files that are gone. */
export function reportMissing(paths: readonly string[], what: string): void {
  for (const path of paths) process.stderr.write(`${printable(path)} ${what}\n`);
}

/** What a backup holds, in words. */
export function summary(backup: Dumped & { files?: FileSum | undefined }): string {
  const { files } = backup;
  return files === undefined ? rowsSaid(backup) : `${rowsSaid(backup)}, ${counted(files.count, "file")}`;
}

/** How many rows of how many tables. */
export function rowsSaid({ tables }: Dumped): string {
  const counts = Object.values(tables).map(({ rows }) => rows);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return `${counted(rows, "row")} of ${counted(counts.length, "table")}`;
}

/** What became of the files. */
export function filesSaid({ stored, present, missing }: RestoredFiles): string {
  if (stored + present + missing.length === 0) return "no files";
  const back = `${counted(stored, "file")} put back`;
  return present === 0 ? back : `${back}, ${present} ${present === 1 ? "was" : "were"} there`;
}
