import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Source, sources } from "./sources.ts";

const BUDGETS = "test/lint/budgets.json";
const budgets: Record<string, number> = JSON.parse(readFileSync(BUDGETS, "utf8"));
const NO_COST =
  /^docs\/|^package-lock\.json$|^test\/vectors\/|^test\/contracts\/schemas\/|^test\/soak\/upgrade\/\d|\.before\.sql$/;

/** The room of a file: a folder of src, another top folder, or `.` for what stands at the top. */
function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  if (first === path) return ".";
  return first === "src" && path !== `src/${second}` ? `src/${second}` : first;
}

/** The lines of each room, but for documents, the lock file, recorded fixtures, vendors' schemas and vectors. */
function linesByRoom(files: readonly Source[]): Record<string, number> {
  const lines: Record<string, number> = {};
  for (const { path, text } of files) {
    if (NO_COST.test(path)) continue;
    const room = roomOf(path);
    lines[room] = (lines[room] ?? 0) + text.split("\n").length - 1;
  }
  return lines;
}

test("no room has more lines than its budget", () => {
  const lines = linesByRoom(sources());
  const over = Object.entries(lines).filter(([room, count]) => count > (budgets[room] ?? 0));
  expect(over).toEqual([]);
  expect(Object.keys(budgets).toSorted()).toEqual(Object.keys(lines).toSorted());
});

test("a commit that raises a budget says why in its body", () => {
  const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
  const commits = git("log", "--format=%H", "--", BUDGETS).split("\n").filter(Boolean);
  const at = (commit: string): Record<string, number> => JSON.parse(git("show", `${commit}:${BUDGETS}`));
  const silent = commits.slice(0, -1).filter((commit, index) => {
    const before = at(commits[index + 1] ?? commit);
    const raised = Object.entries(at(commit)).some(([room, count]) => count > (before[room] ?? 0));
    return raised && git("log", "-1", "--format=%b", commit) === "";
  });
  expect(silent).toEqual([]);
});
