// npm run mutants: puts each mutant into a clone of the last commit, where the test that is to kill it must fail. Words
// behind `--` choose those whose file, test or gone tests have one of them.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

const folder = mkdtempSync(join(tmpdir(), "mutants-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
execFileSync("git", ["clone", "--quiet", "--shared", ".", folder]);
symlinkSync(resolve("node_modules"), join(folder, "node_modules"));

// A model runs by a random seed, and one run of it may miss what others find.
const SEEDS = [1, 2, 3];
const env = { ...process.env, MODEL_RUNS: "150" };
const words = process.argv.slice(2);
const chosen = MUTANTS.filter(
  ({ gone, killedBy, file }) =>
    words.length === 0 || words.some((word) => `${gone} ${killedBy} ${file}`.includes(word)),
);
const files = [...new Set(chosen.map(({ killedBy }) => fileOf(killedBy)))];
if (files.length > 0 && !passes(files)) fail("A test fails without any mutant");
const alive = chosen.filter((mutant) => !isKilled(mutant));
for (const { killedBy, file, from } of alive) process.stdout.write(`alive: ${file}: ${from} (${killedBy})\n`);
process.stdout.write(`${chosen.length - alive.length} killed, ${alive.length} alive\n`);
process.exitCode = alive.length > 0 ? 1 : 0;

function isKilled({ killedBy, file, from, to }: Mutant): boolean {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) fail(`${file} does not have exactly once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const [, words] = killedBy.split(" -t ");
    const asked = [fileOf(killedBy), ...(words === undefined ? [] : ["-t", words])];
    return SEEDS.some(() => !passes(asked));
  } finally {
    writeFileSync(path, text);
  }
}

function passes(asked: readonly string[]): boolean {
  const command = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...asked];
  return spawnSync(process.execPath, command, { cwd: folder, stdio: "ignore", env }).status === 0;
}

function fileOf(killedBy: string): string {
  return killedBy.split(" ")[0] ?? "";
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
