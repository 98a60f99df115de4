import { RateLimiter } from "../../durable/rate-limiter.ts";
import { FRESH_ID, FRESH_TOKEN, type Plan } from "./plan.ts";

export { RateLimiter };

type FloorEnv = {
  DATABASE_URL: string;
  DATABASE_TOKEN: string;
  /** Plans by method and path, as JSON. */
  PLANS: string;
  LIMIT: string;
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
};
type Step = { rows: { value?: unknown }[][] } | null;
type Reply = { results: { response?: { result?: { step_results?: Step[] } } }[] };

let plans: Record<string, Plan> | undefined;

/**
 * The least that a Worker can do for these operations: it hashes the secret, asks the limiter beside the first
 * database request, sends the very SQL of the API with raw `fetch`, and answers with the rows. Nothing is checked.
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
    let reply: Reply | undefined;
    for (const body of plan.requests) reply = await query(env, body, id);
    const { remaining } = await admission;
    const data = dataOf(plan, reply);
    return new Response(JSON.stringify({ data }), {
      status: data === undefined ? 500 : plan.status,
      headers: { "Content-Type": "application/json", "X-RateLimit-Remaining": String(remaining) },
    });
  },
} satisfies ExportedHandler<FloorEnv>;

async function query(env: FloorEnv, body: string, id: string): Promise<Reply> {
  const response = await fetch(env.DATABASE_URL, {
    method: "POST",
    headers: { Authorization: `Bearer ${env.DATABASE_TOKEN}`, "Content-Type": "application/json" },
    body: body.replaceAll(FRESH_ID, id).replace(FRESH_TOKEN, id),
  });
  return response.json();
}

/** The records of the one statement that gives JSON text: a read's rows, or a write's snapshot. */
function dataOf({ list }: Plan, reply: Reply | undefined): unknown {
  const steps = reply?.results.flatMap(({ response }) => response?.result?.step_results ?? []) ?? [];
  const rows = steps.find((step) => String(step?.rows[0]?.[0]?.value).startsWith("{"))?.rows ?? [];
  const records = rows.map(([cell]) => JSON.parse(String(cell?.value)) as unknown);
  return list ? records : records[0];
}
