// `npm run bench:memory -- 30`: the memory of workerd under mixed load, minute by minute for so many minutes. One that
// leaks grows on; a flat one ends where it was after the first third.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildWorker } from "../support/worker.ts";
import { loadOf } from "./measure/measure.ts";
import { asked, positive } from "./setup/arguments.ts";
import { startGateway } from "./setup/gateway.ts";
import { startSides } from "./setup/service.ts";
import { startSqld } from "./setup/sqld.ts";
import { storageOf } from "./setup/storage.ts";

const [minutes = 30] = asked(() => process.argv.slice(2).map((text) => positive("Minutes", text)));
const CONNECTIONS = 8;
const TURN_SECONDS = 2;

const { directory } = storageOf("disk");
const sqld = await startSqld(join(directory, "databases"));
const gateway = await startGateway();
const bundles = { api: await buildWorker(join(directory, "worker")), before: undefined };
const { sides, stop } = await startSides(directory, bundles, sqld, gateway.url);
try {
  await watch();
} finally {
  await stop();
  gateway.stop();
  await sqld.stop();
}

async function watch(): Promise<void> {
  const { url, pid, company, scenarios } = sides.api;
  const endsAt = performance.now() + minutes * 60_000;
  let requests = 0;
  let errors = 0;
  let nextAt = performance.now();
  while (performance.now() < endsAt)
    // Bookings would fill a calendar that ends.
    for (const scenario of scenarios.filter(({ numbered }) => !numbered)) {
      const extent = { connections: CONNECTIONS, seconds: TURN_SECONDS, first: null };
      const tally = await loadOf(url, company, scenario, extent);
      requests += tally.requests;
      errors += tally.errors;
      if (performance.now() < nextAt) continue;
      nextAt += 60_000;
      console.log(`${await megabytes(pid)} MB after ${requests} requests, ${errors} with another status`);
    }
}

async function megabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}
