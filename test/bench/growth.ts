// npm run bench:growth -- FACTOR: what a company with 1,000,000 invoices (times FACTOR) costs beside one with 1,000,
// call by call in turns. Fails where a ratio of medians is above its limit, a report takes more memory than two pages of a
// list, or the self-check finds something.
import { platform } from "../support/company.ts";
import { openHeap } from "../support/heap.ts";
import { addressOf, startService } from "../support/service.ts";
import { type Call, callsOf, REPORTS } from "./growth/calls.ts";
import { openGrown } from "./growth/company.ts";
import { sizeOf } from "./growth/rows.ts";
import { median } from "./measure/measure.ts";
import { align } from "./measure/report.ts";
import { asked, positive } from "./setup/arguments.ts";

const FULL = 1_000_000;
const SMALL = 1_000;
const SHOWN = 300;
/** Two pages of a list, which 8 MB hold. */
const MOST_MEGABYTES = 8;

const factor = asked(() => positive("FACTOR", process.argv[2] ?? "1"));
const service = await startService(undefined, [], { onDisk: true, inspected: true });
const address = addressOf(service);
const heap = await openHeap(await service.inspector());
const failures: string[] = [];
try {
  const small = await openGrown(address, "small", sizeOf(SMALL));
  const began = performance.now();
  const large = await openGrown(address, "large", sizeOf(FULL * factor));
  const sizes = "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size";
  const { rows } = await large.company.database().execute(sizes);
  console.log(`built in ${seconds(began)}, ${(Number(rows[0]?.bytes) / 1e6).toFixed(0)} MB`);
  const ofSmall = new Map((await callsOf(small)).map((call) => [call.name, call]));
  const table = [
    ["call", SMALL.toLocaleString("en"), (FULL * factor).toLocaleString("en"), "ratio", "limit"],
  ];
  const calls = await callsOf(large);
  for (const call of calls) table.push(await compare(ofSmall.get(call.of), call));
  for (const call of calls.filter(({ name }) => name in REPORTS)) table.push(await memoryOf(call));
  for (const slug of ["small", "large"] as const) table.push(await selfCheck(slug));
  console.log(align(table).join("\n"));
} finally {
  heap.close();
  await service.stop();
}
console.log(failures.length === 0 ? "passed" : `failed: ${failures.join("; ")}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** The row of two calls made in turns, by their medians. */
async function compare(base: Call | undefined, call: Call): Promise<string[]> {
  if (base === undefined) throw new Error(`There is no ${call.of}`);
  const times: [number[], number[]] = [[], []];
  try {
    for (let turn = 0; turn < call.times; turn += 1)
      for (const [index, { send }] of [base, call].entries()) {
        const began = performance.now();
        await send();
        times[index]?.push(performance.now() - began);
      }
  } catch (error) {
    failures.push(`${call.name}: ${String(error).slice(0, SHOWN)}`);
    return [call.name, "", "", "", ""];
  }
  const [before = 0, after = 0] = times.map(median);
  const ratio = after / before;
  const { most } = call;
  if (most !== undefined && !(ratio <= most))
    failures.push(`${call.name} takes ${ratio.toFixed(2)} times as long, over ${most}`);
  const cells = [`${before.toFixed(2)} ms`, `${after.toFixed(2)} ms`, ratio.toFixed(2)];
  return [call.name, ...cells, most === undefined ? "" : String(most)];
}

/** The row of what the isolate holds more while it makes a call. */
async function memoryOf({ name, send }: Call): Promise<string[]> {
  await heap.collect(() => fetch(`${address.url}/health`));
  const before = await heap.megabytes();
  const took = (await heap.peakDuring(async () => void (await send()))) - before;
  if (took > MOST_MEGABYTES) failures.push(`${name} takes ${took.toFixed(1)} MB, over ${MOST_MEGABYTES}`);
  return [`memory of ${name}`, "", `${took.toFixed(1)} MB`, "", String(MOST_MEGABYTES)];
}

type Checked = { broken: { invariant: string }[] };

/** The row of a company's self-check: how long it takes. */
async function selfCheck(slug: "small" | "large"): Promise<string[]> {
  const name = `self-check of ${slug}`;
  const began = performance.now();
  const answer = await platform<Checked>("GET", `/platform/self-check/${slug}`, undefined, address);
  const took = seconds(began);
  if (answer.status !== 200) failures.push(`${name}: ${answer.status} ${answer.text.slice(0, SHOWN)}`);
  else failures.push(...answer.body.data.broken.map(({ invariant }) => `${name}: ${invariant}`));
  return [name, ...(slug === "small" ? [took, ""] : ["", took]), "", ""];
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1_000).toFixed(1)} s`;
}
