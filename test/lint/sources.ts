import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export type Source = { path: string; text: string };

/** Every text file that is committed or could be, by its path from the top of the repository. */
export function sources(): Source[] {
  return execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))
    .filter(({ text }) => !text.includes("\0"));
}
