import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
export const CLI = join(ROOT, "src/cli/company-ops.cjs");

export type Ran = { code: number; stdout: string; stderr: string };

/** Runs a program to its end, however it ends. */
function ran(program: string, parameters: string[], options: { env?: NodeJS.ProcessEnv; cwd?: string }) {
  return new Promise<Ran>((resolve) => {
    execFile(program, parameters, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Runs the command line; `env` holds the operator's variables. */
export function companyOps(words: string[], options: { env: NodeJS.ProcessEnv; cwd?: string }): Promise<Ran> {
  return ran(process.execPath, [CLI, ...words], options);
}

/** Runs a shell's lines, where `npx company-ops` is the command line of this tree. */
export function inShell(lines: string, options: { env: NodeJS.ProcessEnv; cwd: string }): Promise<Ran> {
  const own = `set -e; npx() { shift; "${process.execPath}" "${CLI}" "$@"; }\n${lines}`;
  return ran("bash", ["-c", own], options);
}

/** The blocks of shell lines below a heading of a page of docs. */
export function shellBlocks(page: string, heading: string): string[] {
  const [, section = ""] = readFileSync(join(ROOT, "docs", page), "utf8").split(`# ${heading}\n`);
  const blocks = (section.split("\n## ")[0] ?? "").matchAll(/```sh\n(.*?)```/gs);
  return [...blocks].map(([, lines = ""]) => lines);
}
