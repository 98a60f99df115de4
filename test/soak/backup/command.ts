import { inject } from "vitest";
import { companyOps as run } from "../../support/company-ops.ts";
import { MASTER_KEY } from "../../support/service.ts";

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
export function companyOps(cwd: string, ...words: string[]) {
  return run(words, { env: operatorVariables(), cwd });
}
