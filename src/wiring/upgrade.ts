import { directoryOf } from "#api/environment.ts";
import { asWork } from "#core/log.ts";
import type { Upgrade } from "#durable";
import { upgrade } from "#tenancy/migrations/upgrade.ts";
import { provisionerOf } from "#tenancy/provision/index.ts";
import type { Env } from "../env.ts";

/** Brings a company's database to the schema of this release; what its clock object runs. */
export function upgradeCompany(env: Env, company: string, now: number): Promise<Upgrade> {
  const provisioner = async () => provisionerOf(env);
  return asWork({ operation: "upgrade", company }, () =>
    upgrade({ directory: directoryOf(env), provisioner }, company, now),
  );
}
