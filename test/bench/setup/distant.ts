import { join } from "node:path";
import { buildWorker } from "../../support/worker.ts";
import { printDistantLoads, printManyProcesses } from "../measure/distance-load.ts";
import { scenariosOf } from "../scenarios.ts";
import { startGateway } from "./gateway.ts";
import { apiBindings, fill } from "./service.ts";
import { startSqld } from "./sqld.ts";
import { storageOf } from "./storage.ts";
import { apiWorker, startWorkerd, telling } from "./workerd.ts";

const WRITES = ["event-bearing write", "checkout"];

/** Loads one company from near and far, or, with several `processes`, from all of them at once. */
export async function loadOneCompany(extent: {
  rounds: number;
  seconds: number;
  processes: number | undefined;
}): Promise<void> {
  const { directory } = storageOf("memory");
  const sqld = await startSqld(join(directory, "databases"));
  const gateway = await startGateway();
  const bindings = apiBindings(sqld, gateway.url);
  const api = await apiWorker("api", await buildWorker(join(directory, "worker")), bindings);
  const company = await fill(directory, api, sqld, bindings);
  const scenarios = scenariosOf(company)
    .filter(({ name }) => WRITES.includes(name))
    .map((scenario) => ({
      ...scenario,
      name: scenario.name === "checkout" ? "checkout" : "customer create",
    }));
  const { processes = 1 } = extent;
  const workers = await Promise.all(
    Array.from({ length: processes }, async (_, index) =>
      startWorkerd(
        directory,
        extent.processes === undefined ? await telling(directory, api) : { ...api, name: `api-${index}` },
      ),
    ),
  );
  try {
    const [first] = workers;
    if (extent.processes !== undefined) await printManyProcesses(workers, { company, scenarios }, extent);
    else if (first !== undefined) await printDistantLoads(first, { company, scenarios }, extent);
  } finally {
    for (const worker of workers) await worker.stop();
    gateway.stop();
    await sqld.stop();
  }
}
