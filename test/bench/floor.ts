import { RateLimiter } from "../../durable/rate-limiter.ts";
import { writeLineOf } from "../../src/core/database/write-line.ts";

export { RateLimiter };

/** A request of the floor: texts as they stand, and between them names of what is new in each. */
type Request = { url: string; authorization: string; parts: { text: string; name?: string }[] };
/** What one operation asks of others, in order. */
export type Plan = { status: number; list: boolean; requests: Request[] };
type FloorEnv = {
  /** Plans by method and path, each number in it a #; as JSON. */
  PLANS: string;
  LIMIT: string;
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
};
type Step = { rows: { value?: unknown }[][] } | null;
type Batch = { step_results?: Step[]; step_errors?: unknown[] };
type Reply = { results?: { response?: { result?: Batch } }[] };

// The floor's bookings are of one instructor, long after all others.
const FIRST_SLOT = 4_102_444_800_000;
const SLOT_MS = 900_000;
const TWO_DAYS_MS = 172_800_000;
const FIRST_ITEM = 101;
const ITEMS = 100;
const PATIENCE_MS = 12_000;

let plans: Record<string, Plan> | undefined;
let slot: number | undefined;

/**
 * The least that a Worker can do for these operations: it hashes the secret, asks the limiter beside the first
 * request, sends what floor.json holds with raw `fetch`, and answers with the rows. Nothing is checked.
 */
export const floor = {
  async fetch(request, env) {
    plans ??= JSON.parse(env.PLANS) as Record<string, Plan>;
    const plan = plans[`${request.method} ${new URL(request.url).pathname.replaceAll(/\d+/g, "#")}`];
    if (plan === undefined) return new Response(null, { status: 404 });
    if (request.method === "POST") await request.json();
    const secret = new TextEncoder().encode(request.headers.get("X-Client-Secret") ?? "");
    await crypto.subtle.digest("SHA-256", secret);
    const limiter = env.RATE_LIMITER.getByName(request.headers.get("X-Client-Id") ?? "");
    const admission = limiter.take(Date.now(), [{ name: "key", limit: Number(env.LIMIT) }]);
    const { data, done } = await run(plan);
    const { remaining } = await admission;
    return new Response(JSON.stringify({ data }), {
      status: done && data !== undefined ? plan.status : 500,
      headers: { "Content-Type": "application/json", "X-RateLimit-Remaining": String(remaining) },
    });
  },
} satisfies ExportedHandler<FloorEnv>;

/** Sends the plan's requests, each with what those before it gave; `data` is what the database gave last. */
async function run({ requests, list }: Plan): Promise<{ data: unknown; done: boolean }> {
  const values = freshValues();
  let data: unknown;
  for (const { url, authorization, parts } of requests) {
    const body = parts.map(({ text, name }) => (name === undefined ? text : text + values[name])).join("");
    const headers = { Authorization: authorization, "Content-Type": "application/json" };
    const send = () => fetch(url, { method: "POST", headers, body });
    // As in the API: many writers at once would stop sqld for good.
    const writes = body.includes('"BEGIN IMMEDIATE"');
    const response = await (writes ? writeLineOf(url).take(PATIENCE_MS, send) : send());
    const reply = (await response.json()) as Reply;
    const batches = reply.results?.map(({ response: answer }) => answer?.result ?? {});
    const failed = batches?.some(({ step_errors = [] }) => step_errors.some((error) => error !== null));
    if (!response.ok || failed === true) return { data, done: false };
    const found = batches === undefined ? reply : dataOf(batches, list);
    if (!list) Object.assign(values, found);
    if (batches !== undefined) data = found ?? data;
  }
  return { data, done: true };
}

function freshValues(): Record<string, unknown> {
  // One isolate may follow another on the same database.
  slot ??= Date.now() % 100_000_000;
  slot += 1;
  const start = FIRST_SLOT + slot * SLOT_MS;
  return {
    "fresh id": crypto.randomUUID(),
    "fresh number": slot,
    "fresh item": FIRST_ITEM + (slot % ITEMS),
    "fresh start": start,
    "fresh end": start + SLOT_MS,
    "fresh since": start - TWO_DAYS_MS,
    "fresh until": start + TWO_DAYS_MS,
  };
}

/** The records of the one statement that gives JSON text: a list in one row or many, or a snapshot. */
function dataOf(batches: readonly Batch[], list: boolean): object | undefined {
  const steps = batches.flatMap(({ step_results = [] }) => step_results);
  const start = list ? /^[[{]/ : /^\{/;
  const rows = steps.find((step) => start.test(String(step?.rows[0]?.[0]?.value)))?.rows ?? [];
  if (rows.length === 0) return undefined;
  const records = rows.map(([cell]) => JSON.parse(String(cell?.value)) as object);
  return list ? records : records[0];
}
