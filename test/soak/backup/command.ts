import { execFile } from "node:child_process";
import { join } from "node:path";
import { inject } from "vitest";
import { MASTER_KEY } from "../../support/service.ts";

export const CLI = join(import.meta.dirname, "../../../src/control/cli/company-ops.cjs");

export type Ran = { code: number; stdout: string; stderr: string };

/** The variables of the operator of the service of these tests; each database is opened by its own token. */
export function operatorVariables(): NodeJS.ProcessEnv {
  const { url, platformToken, libsqlUrl, libsqlToken } = inject("service");
  return {
    ...process.env,
    COMPANY_OPS_URL: url,
    PLATFORM_TOKEN: platformToken,
    CONTROL_DATABASE_URL: `${libsqlUrl}/dev/control/`,
    CONTROL_DATABASE_TOKEN: libsqlToken,
    MASTER_KEY,
    DATA_DIR: "nowhere",
  };
}

/** Runs the command line in a folder, as that operator. */
export function companyOps(cwd: string, ...words: string[]): Promise<Ran> {
  const env = operatorVariables();
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...words], { env, cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
