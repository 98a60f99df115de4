import { RateLimiter } from "../../durable/rate-limiter.ts";
import { type Call, FRESH_END, FRESH_ID, FRESH_START, FRESH_TOKEN, type Plan } from "./plan.ts";

export { RateLimiter };

type FloorEnv = {
  /** Plans by method and path, as JSON. */
  PLANS: string;
  LIMIT: string;
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
};
type Step = { rows: { value?: unknown }[][] } | null;
type Reply = { results?: { response?: { result?: { step_results?: Step[] } } }[] };

// The floor's bookings are of one instructor, long after all others.
const FIRST_SLOT = 4_102_444_800_000;
const SLOT_MS = 900_000;

let plans: Record<string, Plan> | undefined;
let slot: number | undefined;

/**
 * The least that a Worker can do for these operations: it hashes the secret, asks the limiter beside the first
 * database request, sends the very SQL of the API, and what it asks of others, with raw `fetch`, and answers with the rows. Nothing is checked.
 */
export const floor = {
  async fetch(request, env) {
    plans ??= JSON.parse(env.PLANS) as Record<string, Plan>;
    const plan = plans[`${request.method} ${new URL(request.url).pathname}`];
    if (plan === undefined) return new Response(null, { status: 404 });
    if (request.method === "POST") await request.json();
    const secret = new TextEncoder().encode(request.headers.get("X-Client-Secret") ?? "");
    await crypto.subtle.digest("SHA-256", secret);
    const limiter = env.RATE_LIMITER.getByName(request.headers.get("X-Client-Id") ?? "");
    const admission = limiter.take(Date.now(), [{ name: "key", limit: Number(env.LIMIT) }]);
    const id = crypto.randomUUID();
    let data: unknown;
    for (const call of plan.requests) data = dataOf(plan, await ask(call, id)) ?? data;
    const { remaining } = await admission;
    return new Response(JSON.stringify({ data }), {
      status: data === undefined ? 500 : plan.status,
      headers: { "Content-Type": "application/json", "X-RateLimit-Remaining": String(remaining) },
    });
  },
} satisfies ExportedHandler<FloorEnv>;

async function ask({ url, authorization, body }: Call, id: string): Promise<Reply> {
  const response = await fetch(url, {
    method: "POST",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: withSlot(body.replaceAll(FRESH_ID, id).replace(FRESH_TOKEN, id)),
  });
  return response.json();
}

function withSlot(body: string): string {
  if (!body.includes(FRESH_START)) return body;
  // One isolate may follow another on the same database.
  slot ??= Date.now() % 100_000_000;
  slot += 1;
  const start = FIRST_SLOT + slot * SLOT_MS;
  return body.replace(FRESH_START, String(start)).replace(FRESH_END, String(start + SLOT_MS));
}

/** The records of the one statement that gives JSON text: a read's rows, or a write's snapshot. */
function dataOf({ list }: Plan, { results = [] }: Reply): unknown {
  const steps = results.flatMap(({ response }) => response?.result?.step_results ?? []);
  const rows = steps.find((step) => String(step?.rows[0]?.[0]?.value).startsWith("{"))?.rows ?? [];
  if (rows.length === 0) return undefined;
  const records = rows.map(([cell]) => JSON.parse(String(cell?.value)) as unknown);
  return list ? records : records[0];
}
