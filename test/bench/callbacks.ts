// npm run bench:callbacks -- --against FOLDER: what a gateway's event that an order was paid costs, beside the bundle of
// another checkout. Each round places orders at both, then delivers their events over 16 connections, one side after the
// other. `--rounds 10` and `--orders 60` say how many. docs/benchmark.md says how to make the other bundle.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildWorker } from "../support/worker.ts";
import { type LoadedSide, median } from "./measure/measure.ts";
import { processorMs } from "./measure/processor.ts";
import { align } from "./measure/report.ts";
import { asked, positive } from "./setup/arguments.ts";
import { startGateway } from "./setup/gateway.ts";
import { startOwn } from "./setup/service.ts";
import { storageOf } from "./setup/storage.ts";
import { type Call, writesOf } from "./statements/calls.ts";

const AT_ONCE = 16;
const FIRST_NUMBER = 1_000;
type Round = { workerMs: number; databaseMs: number; rate: number };

const { against, rounds, orders } = asked(() => {
  const { values } = parseArgs({
    options: {
      against: { type: "string" },
      rounds: { type: "string", default: "10" },
      orders: { type: "string", default: "60" },
    },
  });
  if (values.against === undefined) throw new Error("--against must name the bundle of another checkout");
  return {
    against: values.against,
    rounds: positive("--rounds", values.rounds),
    orders: positive("--orders", values.orders),
  };
});

const { directory, note } = storageOf("disk");
const gateway = await startGateway();
const sides = {
  now: await startOwn(directory, "now", await buildWorker(join(directory, "worker")), gateway.url),
  before: await startOwn(directory, "before", against, gateway.url),
};
let number = FIRST_NUMBER;
try {
  await round(sides.now);
  await round(sides.before);
  const all: Record<keyof typeof sides, Round>[] = [];
  for (let index = 0; index < rounds; index += 1)
    all.push({ now: await round(sides.now), before: await round(sides.before) });
  console.log(`databases in ${note}; ${rounds} rounds of ${orders} events; medians`);
  const row = (name: keyof typeof sides) => {
    const of = (figure: keyof Round) => median(all.map((each) => each[name][figure]));
    return [name, of("rate").toFixed(0), of("workerMs").toFixed(2), of("databaseMs").toFixed(2)];
  };
  console.log(align([["side", "events/s", "worker ms", "db ms"], row("now"), row("before")]).join("\n"));
  const ratios = all.map(({ now, before }) => timeOf(now) / timeOf(before));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  console.log(
    `processor time of an event, now by before: ${median(ratios).toFixed(2)} (${least} to ${most})`,
  );
} finally {
  for (const side of Object.values(sides)) await side.stop();
  gateway.stop();
}

function timeOf({ workerMs, databaseMs }: Round): number {
  return workerMs + databaseMs;
}

/** Places orders, then delivers the event of each; the events alone are measured. */
async function round({ url, pid, sqld, company, scenarios }: LoadedSide): Promise<Round> {
  const write = writesOf(company, scenarios).find(({ name }) => name === "order paid");
  if (write?.first === undefined) throw new Error("There is no such write");
  const { first, call } = write;
  const placed = await inTurns(orders, () => send(url, first(number++)));
  const look = () => Promise.all([processorMs(pid), processorMs(sqld.pid)]);
  const [worker, database] = await look();
  const start = performance.now();
  await inTurns(orders, (index) => send(url, call(number, placed[index])));
  const rate = (1_000 * orders) / (performance.now() - start);
  const [workerAfter, databaseAfter] = await look();
  return { workerMs: (workerAfter - worker) / orders, databaseMs: (databaseAfter - database) / orders, rate };
}

/** What so many calls answer, 16 at a time. */
async function inTurns(count: number, make: (index: number) => Promise<unknown>): Promise<unknown[]> {
  const answers: unknown[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      answers[index] = await make(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}

async function send(url: string, { method, path, headers, body }: Call): Promise<unknown> {
  const response = await fetch(url + path, { method, headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} of ${path}: ${text}`);
  return JSON.parse(text);
}
