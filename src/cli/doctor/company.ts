import { setTimeout as sleep } from "node:timers/promises";
import { newThrowAwaySlug } from "#tenancy/companies/throw-away.ts";
import { type Ask, ask, askPlatform, dataOf, expectStatus, problemOf, type Target } from "./ask.ts";
import { LOG_OF_ID, type Report, Wrong } from "./report.ts";

type Key = { client_id: string; client_secret: string };
type Migrated = { applied: string[]; durability: string };
type SelfCheck = { sound: boolean; broken: { invariant: string }[] };
type Invoice = { id: string; total_amount: number };

const ATTEMPTS = 3;
const PAUSE_MS = 1_000;
const PROVIDER = `are its variables of the database provider right (SQLD_* or TURSO_*), and has sqld's disk room? ${LOG_OF_ID}`;
const REPORT = `this is an error of the service: ${LOG_OF_ID}`;
const CUSTOMER = { name: "Doctor's customer", state: "Karnataka", pincode: "560001" };
const ITEM = { item_name: "Check", quantity: 2, unit: "NOS", unit_price: 100, tax_rate: 18 };
const TOTAL = 236;

/** Opens a throw-away company, works in it as a client does, and deletes it however that ends. */
export async function checkCompany(report: Report, target: Target): Promise<void> {
  const slug = newThrowAwaySlug();
  let opened = false;
  try {
    let key: Key | undefined;
    opened = await report.check("opening a company", async (signal) => {
      key = await open(target, slug, signal);
      return slug;
    });
    if (key === undefined) return;
    await report.check("company's database", (signal) => migrated(target, slug, signal));
    if (await checkRecords(report, target, slug, key))
      await report.check("self-check", (signal) => selfCheck(target, slug, signal));
  } finally {
    await remove(report, target, slug, opened);
  }
}

async function open(target: Target, slug: string, signal: AbortSignal): Promise<Key> {
  const headers = { ...target.headers, "Idempotency-Key": crypto.randomUUID() };
  const body = { slug, name: "Throw-away company of the doctor", state: "Karnataka" };
  for (let attempt = 1; ; attempt += 1) {
    const path = new URL("/platform/companies", target.base);
    const answer = await ask("POST", path, PROVIDER, { headers, body, signal });
    if (answer.status === 201) return dataOf<{ admin_key: Key }>(answer).admin_key;
    if (answer.status !== 503 || attempt === ATTEMPTS) throw new Wrong(problemOf(answer), PROVIDER);
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

async function migrated(target: Target, slug: string, signal: AbortSignal): Promise<string> {
  const path = `/platform/companies/${slug}/migrations`;
  const asked = askPlatform<Migrated>(target, "POST", path, { signal, remedy: REPORT });
  const { applied, durability } = await asked;
  if (applied.length > 0) throw new Wrong(`it was opened without ${applied.length} migrations`, REPORT);
  if (durability === "strong") return "up to date, and its commits survive a power cut";
  if (durability === "unmanaged") return "up to date; its durability is the provider's";
  throw new Wrong(
    "it was opened relaxed: a power cut loses the last commits",
    "run `company-ops migrate` for those that are open, and use a release of sqld that takes `durability_mode`",
  );
}

async function checkRecords(report: Report, target: Target, slug: string, key: Key): Promise<boolean> {
  const headers = { "X-Client-Id": key.client_id, "X-Client-Secret": key.client_secret };
  const call = (method: string, path: string, more: Ask) =>
    ask(method, new URL(`/v1/${path}`, target.base), REPORT, {
      ...more,
      headers: { ...headers, ...more.headers },
    });
  const once = { headers: { "Idempotency-Key": crypto.randomUUID() }, body: CUSTOMER };
  let customer: Awaited<ReturnType<typeof call>> | undefined;
  let invoice: Invoice | undefined;
  const written = await report.check("writing", async (signal) => {
    customer = expectStatus(await call("POST", `customers/${slug}`, { ...once, signal }), 201, REPORT);
    const body = { customer_id: dataOf<{ id: string }>(customer).id, items: [ITEM] };
    invoice = dataOf<Invoice>(
      expectStatus(await call("POST", `invoices/${slug}`, { body, signal }), 201, REPORT),
    );
    return "a customer and an invoice";
  });
  if (!written || customer === undefined || invoice === undefined) return false;
  const [first, { id }] = [customer, invoice];
  await report.check("reading", async (signal) => {
    const read = dataOf<Invoice>(
      expectStatus(await call("GET", `invoices/${slug}/${id}`, { signal }), 200, REPORT),
    );
    if (read.id === id && read.total_amount === TOTAL) return "both, as they were written";
    throw new Wrong(`the invoice is of ${read.total_amount}, not of ${TOTAL}`, REPORT);
  });
  await report.check("Idempotency-Key", async (signal) => {
    const again = await call("POST", `customers/${slug}`, { ...once, signal });
    if (again.text === first.text && again.headers.get("Idempotent-Replayed") === "true")
      return "a call that is sent again gets its first answer";
    throw new Wrong(`sent again, ${problemOf(again)}`, "does a proxy drop the header Idempotency-Key?");
  });
  return true;
}

async function selfCheck(target: Target, slug: string, signal: AbortSignal): Promise<string> {
  const path = `/platform/self-check/${slug}`;
  const asked = askPlatform<SelfCheck>(target, "GET", path, { signal, remedy: REPORT });
  const { sound, broken } = await asked;
  if (sound) return "the company's records are sound";
  throw new Wrong(`broken: ${broken.map(({ invariant }) => invariant).join("; ")}`, REPORT);
}

/** Also where the opening failed: its answer may have been lost. */
async function remove(report: Report, target: Target, slug: string, opened: boolean): Promise<void> {
  const remedy = `the service's hourly jobs delete ${slug} an hour after it was opened`;
  const { headers } = target;
  const path = new URL(`/platform/companies/${slug}`, target.base);
  // An interrupt of the checks waits for this too.
  await report.check(
    "cleaning up",
    async (signal) => {
      const attempt = () => ask("DELETE", path, remedy, { headers, signal });
      let answer = await attempt();
      for (let sent = 1; answer.status === 503 && sent < ATTEMPTS; sent += 1) {
        await sleep(PAUSE_MS);
        answer = await attempt();
      }
      if (answer.status === 404 && !opened) return "there is nothing to delete";
      expectStatus(answer, 200, remedy);
      return "the company is deleted, with its database";
    },
    { goesOn: true },
  );
}
