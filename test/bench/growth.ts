// npm run bench:growth -- FACTOR: what a company with 1,000,000 invoices (times FACTOR) costs beside one with 1,000,
// call by call in turns. Fails where a ratio of medians is above its limit, or the self-check finds something.
import { databaseOf, PLATFORM_TOKEN, startService } from "../support/service.ts";
import { type Call, callsOf } from "./growth/calls.ts";
import { openGrown } from "./growth/company.ts";
import { sizeOf } from "./growth/rows.ts";

const FULL = 1_000_000;
const SMALL = 1_000;

const factor = Number(process.argv[2] ?? "1");
const service = await startService(undefined, [], { onDisk: true });
try {
  const small = await openGrown(service, "small", sizeOf(SMALL));
  const began = performance.now();
  const large = await openGrown(service, "large", sizeOf(FULL * factor));
  const database = await databaseOf(service, "large");
  const { rows } = await database.execute(
    "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`built in ${seconds} s, ${(Number(rows[0]?.bytes) / 1e6).toFixed(0)} MB`);
  const ofSmall = new Map(
    (await callsOf(small, await databaseOf(service, "small"))).map((call) => [call.name, call]),
  );
  console.log(`${"call".padEnd(30)}     1,000     large   ratio`);
  let failed = false;
  for (const call of await callsOf(large, database))
    failed = (await compare(ofSmall.get(call.of), call)) || failed;
  for (const slug of ["small", "large"]) failed = (await selfCheck(slug)) || failed;
  if (failed) process.exitCode = 1;
} finally {
  await service.stop();
}

/** Prints the medians of two calls made in turns; tells whether the ratio is above its limit. */
async function compare(base: Call | undefined, call: Call): Promise<boolean> {
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
    console.log(`${call.name.padEnd(30)} FAILED ${String(error).slice(0, 300)}`);
    return true;
  }
  const [before, after] = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0);
  const ratio = (after ?? 0) / (before ?? 1);
  const isAbove = ratio > (call.most ?? Number.POSITIVE_INFINITY);
  const columns = [before, after].map((value) => `${(value ?? 0).toFixed(2)} ms`.padStart(10)).join("");
  console.log(
    `${call.name.padEnd(30)}${columns}  ${ratio.toFixed(2).padStart(6)}${isAbove ? `  above ${call.most}` : ""}`,
  );
  return isAbove;
}

/** Prints what the self-check of a company says, and how long it takes; tells whether it fails. */
async function selfCheck(slug: string): Promise<boolean> {
  const began = performance.now();
  const response = await fetch(`${service.url}/platform/self-check/${slug}`, {
    headers: { Authorization: `Bearer ${PLATFORM_TOKEN}` },
  });
  const text = await response.text();
  console.log(
    `self-check of ${slug}: ${(performance.now() - began).toFixed(0)} ms, ${response.status} ${text.slice(0, 1500)}`,
  );
  return !response.ok || (JSON.parse(text) as { data: { broken: unknown[] } }).data.broken.length > 0;
}
