import { join } from "node:path";
import { bindingsFor, createNamespace, PLATFORM_TOKEN } from "../../support/service.ts";
import type { LoadedSide, Sides } from "../measure/measure.ts";
import { type Company, scenariosOf } from "../scenarios.ts";
import { fillCompany } from "./company.ts";
import { durabilityOf, type Sqld, startSqld } from "./sqld.ts";
import { apiWorker, startWorkerd, type Worker } from "./workerd.ts";

/** The folders of the bundle, and of another checkout's when there is one. */
export type Bundles = { api: string; before: string | undefined };
type Bindings = Record<string, string>;

/** Fills a company through the API, then starts each side in a workerd of its own; their files go to `directory`. */
export async function startSides(
  directory: string,
  bundles: Bundles,
  sqld: Sqld,
  gateway: string,
): Promise<{ sides: Sides; stop: () => Promise<void> }> {
  const { api, company } = await filled(directory, "api", bundles.api, sqld, gateway);
  const place = { sqld, company, scenarios: scenariosOf(company) };
  const keeping = { ...api, name: "kept", bindings: { ...api.bindings, KEPT_ANSWERS: "" } };
  const sides: Sides = {
    api: { ...(await startWorkerd(directory, api)), ...place },
    kept: { ...(await startWorkerd(directory, keeping)), ...place },
  };
  if (bundles.before !== undefined) sides.before = await startBefore(directory, bundles.before, gateway);
  const stop = async () => {
    for (const side of Object.values(sides)) await side.stop();
  };
  return { sides, stop };
}

/** Another bundle, with a company of its own on an sqld of its own: its schema may be another. */
async function startBefore(directory: string, bundle: string, gateway: string): Promise<LoadedSide> {
  const sqld = await startSqld(join(directory, "databases-before"));
  const { api, company } = await filled(directory, "before", bundle, sqld, gateway);
  const running = await startWorkerd(directory, api);
  const stop = async () => {
    await running.stop();
    await sqld.stop();
  };
  return { ...running, sqld, company, scenarios: scenariosOf(company), stop };
}

/** The name of a company's database. */
function namespaceOf({ databaseUrl }: Company): string {
  return /\/dev\/([^/]+)\/$/.exec(databaseUrl)?.[1] ?? "";
}

/** A Worker of a bundle, and a company that was filled through it. */
export async function filled(
  directory: string,
  name: string,
  bundle: string,
  sqld: Sqld,
  gateway: string,
): Promise<{ api: Worker; company: Company }> {
  const api = await apiWorker(name, bundle, apiBindings(sqld, gateway));
  await createNamespace(sqld, "control");
  const { url, stop } = await startWorkerd(directory, api);
  const headers = { Authorization: `Bearer ${PLATFORM_TOKEN}` };
  await fetch(`${url}/platform/migrations`, { method: "POST", headers });
  const company = await fillCompany(url, sqld, `${api.bindings.SANDBOX_RECEIVER}bench`);
  await stop();
  for (const database of ["control", namespaceOf(company)]) {
    const durability = await durabilityOf(sqld, database);
    if (durability !== "strong") throw new Error(`${database} commits ${durability}`);
  }
  return { api, company };
}

/**
 * As in production, but for the line per request: written to a local process's output it costs what it does not cost
 * at the edge. BENCH_LOG=on measures with it. Each read asks its database.
 */
function apiBindings(sqld: Sqld, gateway: string): Bindings {
  const { SANDBOX, ...bindings } = bindingsFor(sqld);
  return {
    DATABASE_PROVIDER: "sqld",
    ...bindings,
    RAZORPAY_API_BASE: gateway,
    // Nothing is sent there: what is queued stays.
    SANDBOX_RECEIVER: `${gateway}/events/`,
    PUBLIC_ORIGIN: "https://api.example.com",
    LOG: process.env.BENCH_LOG ?? "off",
    KEPT_ANSWERS: "off",
  };
}
