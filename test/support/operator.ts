import type { ServiceAddress } from "./http.ts";
import { ADMIN_KEY } from "./libsql/index.ts";
import { MASTER_KEY } from "./service.ts";

/** The variables of the operator of this service, whose control database may be another than at its start. */
export function operatorOf(service: ServiceAddress, control = "control"): NodeJS.ProcessEnv {
  return {
    ...process.env,
    COMPANY_OPS_URL: service.url,
    PLATFORM_TOKEN: service.platformToken,
    CONTROL_DATABASE_URL: `${service.libsqlUrl}/dev/${control}/`,
    CONTROL_DATABASE_TOKEN: service.libsqlToken,
    MASTER_KEY,
    SQLD_ADMIN_URL: service.libsqlAdminUrl,
    SQLD_ADMIN_TOKEN: ADMIN_KEY,
    DATA_DIR: "nowhere",
    NO_COLOR: "1",
  };
}
