// npm run bench:stranger: how much a stranger's 20 requests a second, without a key, by a page's key or through a site's
// form, slow another company's list of customers. Quiet and loud in turns; fails where the median is above 1.5 times, but
// for applications that a site writes by its secret key: their mails are work that the company's own server asks for.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { newCustomer, newInvoice, REGISTERED } from "../features/commerce.ts";
import { daysAhead } from "../features/school.ts";
import { credentials, openBusy, openCompany, type TestCompany } from "../support/company.ts";
import { document, zip } from "../support/documents.ts";
import { addressOf, type Service, startService } from "../support/service.ts";
import { median } from "./measure/measure.ts";
import { openSchool } from "./setup/company.ts";

const GAP_MS = 50;
const PHASE_MS = 4_000;
const ROUNDS = 3;
const MOST = 1.5;
const BY_SITE = "apply, site";
const ORIGIN = "https://site.example.com";

type Call = {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  resume?: Uint8Array<ArrayBuffer>;
};

if (isMainThread) await measure(await startService());
else await disturb(workerData as Call);

async function measure(service: Service): Promise<void> {
  try {
    const other = await openBusy({ ...REGISTERED, slug: "other" }, addressOf(service));
    for (const [door, call] of Object.entries(await doorsOf(service))) {
      const times: Record<"quiet" | "loud", number[]> = { quiet: [], loud: [] };
      const answers: Record<string, number> = {};
      for (let round = 0; round < ROUNDS; round += 1) {
        times.quiet.push(...(await readFor(other)));
        const stranger = new Worker(import.meta.filename, { workerData: call });
        await once(stranger, "message");
        stranger.on("message", (status) => {
          answers[status] = (answers[status] ?? 0) + 1;
        });
        times.loud.push(...(await readFor(other)));
        await stranger.terminate();
      }
      report(door, median(times.quiet), median(times.loud), answers);
    }
  } finally {
    await service.stop();
  }
}

function report(door: string, quiet: number, loud: number, answers: object): void {
  const ratio = loud / quiet;
  const figures = `quiet ${quiet.toFixed(1)} ms, loud ${loud.toFixed(1)} ms, ratio ${ratio.toFixed(2)}`;
  console.log(`${door.padEnd(14)} ${figures}, answers ${JSON.stringify(answers)}`);
  if (ratio > MOST && door !== BY_SITE) process.exitCode = 1;
}

/** What a stranger calls of a company: without a key, by its page's key, or through its site, whose key has its own limit. */
async function doorsOf(service: Service): Promise<Record<string, Call>> {
  const { url } = service;
  const site = await openCompany({ ...REGISTERED, slug: "site" }, addressOf(service));
  const page = await site.publishableKey(ORIGIN);
  await openSchool(site);
  await site.make("/settings/:company/jobs", { title: "Welder", description_html: "<p>Join plates.</p>" });
  const { hosted_url: hosted } = await newInvoice(site, (await newCustomer(site)).id);
  const jobs = { url: `${url}/v1/recruitment/site/jobs/welder/apply`, headers: credentials(site.admin) };
  const nobody = { client_id: "nobody", client_secret: "nothing" };
  const apply = { ...jobs, method: "POST", resume: document("docx") };
  const accepted = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return {
    "/mcp": {
      url: `${url}/mcp`,
      method: "POST",
      headers: { ...credentials(nobody), ...accepted },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    },
    "hostile docx": { ...jobs, method: "POST", resume: hostile() },
    availability: {
      url: `${url}/v1/schools/site/availability?instructor_id=1&date=${daysAhead(1)}`,
      headers: { ...credentials(page), Origin: ORIGIN },
    },
    apply: { ...apply, headers: {} },
    "apply, page": { ...apply, headers: { ...credentials(page), Origin: ORIGIN } },
    [BY_SITE]: apply,
    "invoice page": { url: hosted ?? "" },
  };
}

/** Reads the list of customers for a phase, one call after the other; gives the times in milliseconds. */
async function readFor(company: TestCompany): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + PHASE_MS; performance.now() < until; await sleep(5)) {
    const begun = performance.now();
    await company.read("/customers/:company");
    times.push(performance.now() - begun);
  }
  return times;
}

/** Calls 20 times a second without waiting for an answer, and posts the status of each. */
async function disturb({ url, resume, ...init }: Call): Promise<void> {
  parentPort?.postMessage("ready");
  for (;;) {
    const form = new FormData();
    form.append("first_name", "Asha");
    form.append("email", `asha-${performance.now()}@mail.example`);
    if (resume !== undefined) form.append("resume", new Blob([resume]), "resume.docx");
    const answer = fetch(url, resume === undefined ? init : { ...init, body: form });
    answer.then(({ status }) => parentPort?.postMessage(status)).catch(() => undefined);
    await sleep(GAP_MS);
  }
}

/** A document of 1,900 parts in 325 KB. */
function hostile(): Uint8Array<ArrayBuffer> {
  const parts = Array.from({ length: 1_900 }, (_, index) => [
    `word/media/part${index}.bin`,
    "x".repeat(9_000),
  ]);
  const head = { "[Content_Types].xml": "<Types/>", "word/document.xml": "x" };
  return zip({ ...head, ...Object.fromEntries(parts) }, "", 8);
}
