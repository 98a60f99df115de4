import { appendFileSync, writeFileSync } from "node:fs";

/** Empties a file, and gives what adds a line to it: one that does not fit on the disk is lost, and ends nothing. */
export function openLog(path: string): (line: string) => void {
  writeFileSync(path, "");
  return (line) => {
    try {
      appendFileSync(path, `${line}\n`);
    } catch {
      // The next one may fit again.
    }
  };
}
