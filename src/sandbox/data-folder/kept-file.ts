import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** What a file of the data folder keeps between starts; undefined where there is none. */
export function readKept<Value>(file: string | undefined): Value | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Writes such a file. */
export function writeKept(file: string | undefined, value: unknown): void {
  if (file !== undefined) writeWhole(file, JSON.stringify(value));
}

/** Writes a file that its owner alone may read, whole or not at all. */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}
