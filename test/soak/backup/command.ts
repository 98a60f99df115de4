import { execFile } from "node:child_process";
import { join } from "node:path";
import { inject } from "vitest";
import { MASTER_KEY } from "../../support/service.ts";

const CLI = join(import.meta.dirname, "../../../src/control/cli/company-ops.cjs");

export type Ran = { code: number; stdout: string; stderr: string };

/** Runs the command line in a folder, as the operator of the service of these tests. */
export function companyOps(cwd: string, ...words: string[]): Promise<Ran> {
  const { url, platformToken, libsqlUrl, libsqlToken } = inject("service");
  const env = {
    ...process.env,
    COMPANY_OPS_URL: url,
    PLATFORM_TOKEN: platformToken,
    CONTROL_DATABASE_URL: `${libsqlUrl}/dev/control/`,
    CONTROL_DATABASE_TOKEN: libsqlToken,
    MASTER_KEY,
    DATA_DIR: "nowhere",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...words], { env, cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
