import { execFile } from "node:child_process";
import { join } from "node:path";

export const CLI = join(import.meta.dirname, "../../src/cli/company-ops.cjs");

export type Ran = { code: number; stdout: string; stderr: string };

/** Runs a program to its end, however it ends. */
export function ran(
  program: string,
  parameters: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string },
) {
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
