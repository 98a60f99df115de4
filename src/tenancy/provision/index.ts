import type { Provisioner, ProvisionerVariables } from "./provider-api.ts";
import { sqld } from "./sqld.ts";
import { turso } from "./turso.ts";

export type { Durability, Provisioner, ProvisionerVariables } from "./provider-api.ts";

/** The provisioner that the environment names; throws when a variable of it is missing. */
export function provisionerOf(env: ProvisionerVariables): Provisioner {
  return env.DATABASE_PROVIDER === "turso" ? turso(env) : sqld(env);
}
