// npm run bench:stranger: how much a stranger's 20 requests a second, without a key or with what a site has, slow another
// company's list of customers. Quiet and loud phases in turns; fails where the median is above 1.5 times the quiet one.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { document, zip } from "../support/documents.ts";
import { type Service, startService } from "../support/service.ts";
import { newInvoice } from "./scenarios.ts";
import { openSchool, platform, post, RATE_LIMIT } from "./setup/company.ts";

const GAP_MS = 50;
const PHASE_MS = 4_000;
const ROUNDS = 3;
const MOST = 1.5;
const DAY_MS = 86_400_000;
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

async function measure({ url, stop }: Service): Promise<void> {
  try {
    const headers = await open(url, "other");
    for (const [door, call] of Object.entries(await doorsOf(url))) {
      const times: Record<"quiet" | "loud", number[]> = { quiet: [], loud: [] };
      const answers: Record<string, number> = {};
      for (let round = 0; round < ROUNDS; round += 1) {
        times.quiet.push(...(await readFor(url, headers)));
        const stranger = new Worker(import.meta.filename, { workerData: call });
        await once(stranger, "message");
        stranger.on("message", (status) => {
          answers[status] = (answers[status] ?? 0) + 1;
        });
        times.loud.push(...(await readFor(url, headers)));
        await stranger.terminate();
      }
      report(door, median(times.quiet), median(times.loud), answers);
    }
  } finally {
    await stop();
  }
}

function report(door: string, quiet: number, loud: number, answers: object): void {
  const ratio = loud / quiet;
  const figures = `quiet ${quiet.toFixed(1)} ms, loud ${loud.toFixed(1)} ms, ratio ${ratio.toFixed(2)}`;
  console.log(`${door.padEnd(14)} ${figures}, answers ${JSON.stringify(answers)}`);
  if (ratio > MOST) process.exitCode = 1;
}

/** Opens a company, and gives the headers of a key of its owner. */
async function open(url: string, slug: string): Promise<Record<string, string>> {
  const { data } = await platform(url, "/platform/companies", { slug, name: slug });
  const { client_id: id, client_secret: secret } = data.admin_key as Record<
    "client_id" | "client_secret",
    string
  >;
  const headers = { "X-Client-Id": id, "X-Client-Secret": secret };
  await post(
    `${url}/v1/settings/${slug}/keys/${id}`,
    headers,
    { rate_limit_per_minute: RATE_LIMIT },
    "PATCH",
  );
  return headers;
}

/** What a stranger calls of a company: without a key, by its page's key, or through its site, whose key takes all. */
async function doorsOf(url: string): Promise<Record<string, Call>> {
  const site = await open(url, "site");
  const settings = `${url}/v1/settings/site`;
  const key = { name: "Page", type: "publishable", allowed_origins: [ORIGIN] };
  const page = (await post(`${settings}/keys`, site, key)).data.client_id;
  await openSchool(`${url}/v1`, "site", site);
  await post(`${settings}/jobs`, site, { title: "Welder", description_html: "<p>Join plates.</p>" });
  const customer = await post(`${url}/v1/customers/site`, site, {
    name: "Meera",
    state: "Karnataka",
    pincode: "560001",
  });
  const { data } = await post(`${url}/v1/invoices/site`, site, newInvoice(customer.data.id));
  const date = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  const jobs = `${url}/v1/recruitment/site/jobs/welder/apply`;
  return {
    "/mcp": {
      url: `${url}/mcp`,
      method: "POST",
      headers: {
        "X-Client-Id": "nobody",
        "X-Client-Secret": "nothing",
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    },
    "hostile docx": { url: jobs, method: "POST", headers: site, resume: hostile() },
    availability: {
      url: `${url}/v1/schools/site/availability?instructor_id=1&date=${date}`,
      headers: { "X-Client-Id": page, Origin: ORIGIN },
    },
    apply: { url: jobs, method: "POST", headers: site, resume: document("docx") },
    "invoice page": { url: (data as { hosted_url?: string }).hosted_url ?? "" },
  };
}

/** Reads the list of customers for a phase, one call after the other; gives the times in milliseconds. */
async function readFor(url: string, headers: Record<string, string>): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + PHASE_MS; performance.now() < until; await sleep(5)) {
    const begun = performance.now();
    const response = await fetch(`${url}/v1/customers/other`, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`The list answered ${response.status}`);
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
  return zip(
    { "[Content_Types].xml": "<Types/>", "word/document.xml": "x", ...Object.fromEntries(parts) },
    "",
    8,
  );
}

function median(times: number[]): number {
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
