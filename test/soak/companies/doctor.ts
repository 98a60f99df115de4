import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { clientOf, runCron } from "../../support/company.ts";
import { companyOps } from "../../support/company-ops.ts";
import type { ServiceAddress } from "../../support/http.ts";
import { askAdmin } from "../../support/libsql/index.ts";
import { operatorOf } from "../../support/operator.ts";
import { ownService } from "../../support/own-service.ts";
import type { Service } from "../../support/service.ts";

export const COMPANIES = "/platform/companies";

// A service of its own: its control database is broken on purpose.
export let service: ServiceAddress;
/** Starts the Worker anew before the same databases, with these variables besides its own. */
export let restart: Service["restart"];

/** Gives a file's tests the service. */
export async function useOwnService(): Promise<void> {
  ({ address: service, restart } = await ownService());
  await runCron(service);
}

type Variables = Record<string, string>;
type Ran = { code: number; lines: string[] };

export const environment = (variables: Variables): NodeJS.ProcessEnv => ({
  ...operatorOf(service),
  SQLD_DATABASE_URL: `${service.libsqlUrl}/dev/{namespace}/`,
  SQLD_DATABASE_TOKEN: service.libsqlToken,
  ...variables,
});

export async function doctor(variables: Variables = {}, ...flags: string[]): Promise<Ran> {
  const { code, stdout } = await companyOps(["doctor", ...flags], { env: environment(variables) });
  return { code, lines: stdout.trim().split("\n") };
}

export const wrong = ({ lines }: Ran) => lines.filter((line) => line.startsWith("no  "));

export const throwAways = async () =>
  (await clientOf("control", service).execute("SELECT slug FROM companies WHERE slug LIKE 'doctor-%'")).rows;

export async function setDurability(durability_mode: string): Promise<void> {
  const path = "/v1/namespaces/control/config";
  const config = (await (await askAdmin(service.libsqlAdminUrl, "GET", path)).json()) as object;
  const { max_db_size: _, ...rest } = config as { max_db_size: unknown };
  const set = await askAdmin(service.libsqlAdminUrl, "POST", path, { ...rest, durability_mode });
  expect(set.status).toBe(200);
}

export async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
