import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { clientOf, runCron } from "../../support/company.ts";
import { companyOps } from "../../support/company-ops.ts";
import type { ServiceAddress } from "../../support/http.ts";
import { ADMIN_KEY } from "../../support/libsql/index.ts";
import { ownService } from "../../support/own-service.ts";
import { PLATFORM_TOKEN, type Service } from "../../support/service.ts";

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

export function environment(variables: Variables): NodeJS.ProcessEnv {
  const { libsqlUrl, libsqlAdminUrl, libsqlToken } = service;
  return {
    ...process.env,
    COMPANY_OPS_URL: service.url,
    PLATFORM_TOKEN,
    SQLD_DATABASE_URL: `${libsqlUrl}/dev/{namespace}/`,
    SQLD_DATABASE_TOKEN: libsqlToken,
    SQLD_ADMIN_URL: libsqlAdminUrl,
    SQLD_ADMIN_TOKEN: ADMIN_KEY,
    DATA_DIR: "nowhere",
    NO_COLOR: "1",
    ...variables,
  };
}

export async function doctor(variables: Variables = {}, ...flags: string[]): Promise<Ran> {
  const { code, stdout } = await companyOps(["doctor", ...flags], { env: environment(variables) });
  return { code, lines: stdout.trim().split("\n") };
}

export const wrong = ({ lines }: Ran) => lines.filter((line) => line.startsWith("no  "));

export const throwAways = async () =>
  (await clientOf("control", service).execute("SELECT slug FROM companies WHERE slug LIKE 'doctor-%'")).rows;

export async function setDurability(durability_mode: string): Promise<void> {
  const url = `${service.libsqlAdminUrl}/v1/namespaces/control/config`;
  const headers = { Authorization: `Basic ${ADMIN_KEY}`, "Content-Type": "application/json" };
  const config = (await (await fetch(url, { headers })).json()) as object;
  const { max_db_size: _, ...rest } = config as { max_db_size: unknown };
  const body = JSON.stringify({ ...rest, durability_mode });
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
}

export async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
