import { ADMIN_KEY } from "./libsql/index.ts";
import { MASTER_KEY, PLATFORM_TOKEN, type Service } from "./service.ts";

/** The variables of the operator of this service, whose control database may be another than at its start. */
export function operatorOf({ url, libsql }: Service, control = "control"): NodeJS.ProcessEnv {
  return {
    ...process.env,
    COMPANY_OPS_URL: url,
    PLATFORM_TOKEN,
    CONTROL_DATABASE_URL: `${libsql.url}/dev/${control}/`,
    CONTROL_DATABASE_TOKEN: libsql.token,
    MASTER_KEY,
    SQLD_ADMIN_URL: libsql.direct().adminUrl,
    SQLD_ADMIN_TOKEN: ADMIN_KEY,
    DATA_DIR: "nowhere",
    NO_COLOR: "1",
  };
}
