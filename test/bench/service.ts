import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Libsql } from "../support/libsql/index.ts";
import { bindingsFor, modulesOf, PLATFORM_TOKEN } from "../support/service.ts";
import { type Company, callOnce, openCompany, post, RATE_LIMIT } from "./company.ts";
import { FRESH_END, FRESH_ID, FRESH_START, FRESH_TOKEN, type Plan } from "./plan.ts";
import { startRecorder } from "./recorder.ts";
import { type Scenario, scenariosOf } from "./scenarios.ts";
import { apiWorker, floorWorker, type Running, startWorkerd } from "./workerd.ts";

const ULID = /(?<=")[0-9A-HJKMNP-TV-Z]{26}(?=")/g;
const BOOKING_ID = /(?<=")bkg_[a-z2-7]{26}(?=")/g;
// The begin and end of a booking, which follow each other in the statement that makes it.
const SLOT = /"(\d{13})"(\}[^{]*\{[^{}]*"value":)"(\d{13})"/;
const TOKEN = /(?<=")[\w-]{43}(?=")/;

export type Prepared = { company: Company; scenarios: Scenario[]; plans: Record<string, Plan> };

/** Fills a company through the API, then notes what each scenario asks of its database and of others. */
export async function prepare(
  directory: string,
  bundle: string,
  libsql: Libsql,
  gateway: string,
): Promise<Prepared> {
  const recorder = await startRecorder();
  const api = await apiWorker(bundle, apiBindings(libsql, gateway));
  const { urls, stop } = await startWorkerd(directory, [{ ...api, outbound: recorder.address }]);
  const url = urls.api ?? "";
  await post(`${url}/platform/migrations`, { Authorization: `Bearer ${PLATFORM_TOKEN}` }, {});
  const company = await openCompany(url, PLATFORM_TOKEN);
  const scenarios = scenariosOf(company);
  const plans: Record<string, Plan> = {};
  for (const scenario of scenarios) {
    recorder.calls.length = 0;
    await callOnce(url, company, scenario);
    plans[`${scenario.method} ${scenario.path.split("?")[0]}`] = {
      status: scenario.status,
      requests: recorder.calls.map(({ body, ...call }) => ({
        ...call,
        body: freshened(body, scenario),
      })),
      list: scenario.name.endsWith("list"),
    };
  }
  await stop();
  recorder.stop();
  return { company, scenarios, plans };
}

/** A recorded body with what must be new each time left open. */
function freshened(body: string, { slots }: Scenario): string {
  const open = body.replaceAll(ULID, FRESH_ID).replaceAll(BOOKING_ID, FRESH_ID).replace(TOKEN, FRESH_TOKEN);
  return slots ? open.replace(SLOT, `"${FRESH_START}"$2"${FRESH_END}"`) : open;
}

/** Starts the API and the floor in one workerd, as separate Workers. */
export async function startBoth(
  directory: string,
  bundle: string,
  libsql: Libsql,
  gateway: string,
  { plans }: Prepared,
): Promise<Running> {
  const floorBindings = {
    PLANS: JSON.stringify(plans),
    LIMIT: String(RATE_LIMIT),
  };
  const workers = [
    await apiWorker(bundle, apiBindings(libsql, gateway)),
    await floorWorker(directory, floorBindings),
  ];
  return startWorkerd(directory, workers);
}

/** What a deployment would upload, compressed: all of it, and what is loaded before the first request. */
export async function gzippedBytes(bundle: string): Promise<{ upload: number; start: number }> {
  const sizeOf = async (files: Iterable<string>) => {
    const contents = await Promise.all(Array.from(files, (file) => readFile(join(bundle, file))));
    return gzipSync(Buffer.concat(contents), { level: 9 }).length;
  };
  return {
    upload: await sizeOf(await modulesOf(bundle)),
    start: await sizeOf(await imported(bundle, "worker.js")),
  };
}

/** A module with all that it imports, and they in turn; not what it loads later. */
async function imported(bundle: string, file: string, known = new Set<string>()): Promise<Set<string>> {
  if (known.has(file)) return known;
  known.add(file);
  const text = await readFile(join(bundle, file), "utf8");
  for (const [, other = ""] of text.matchAll(/(?:\bfrom|\bimport)"\.\/([\w.-]+)"/g))
    await imported(bundle, other, known);
  return known;
}

/**
 * As in production, but for the line per request: written to a local process's output it costs what it does not cost
 * at the edge. BENCH_LOG=on measures with it.
 */
function apiBindings(libsql: Libsql, gateway: string): Record<string, string> {
  const { SANDBOX, ...bindings } = bindingsFor(libsql);
  return {
    DATABASE_PROVIDER: "sqld",
    ...bindings,
    RAZORPAY_API_BASE: gateway,
    LOG: process.env.BENCH_LOG ?? "off",
  };
}
