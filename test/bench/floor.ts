import { RateLimiter } from "../../durable/rate-limiter.ts";
import { type Call, FRESH_ID, FRESH_TOKEN, type Plan } from "./plan.ts";

export { RateLimiter };

type FloorEnv = {
  /** Plans by method and path, as JSON. */
  PLANS: string;
  LIMIT: string;
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
};
type Step = { rows: { value?: unknown }[][] } | null;
type Reply = { results?: { response?: { result?: { step_results?: Step[] } } }[] };

let plans: Record<string, Plan> | undefined;

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
    body: body.replaceAll(FRESH_ID, id).replace(FRESH_TOKEN, id),
  });
  return response.json();
}

/** The records of the one statement that gives JSON text: a read's rows, or a write's snapshot. */
function dataOf({ list }: Plan, { results = [] }: Reply): unknown {
  const steps = results.flatMap(({ response }) => response?.result?.step_results ?? []);
  const rows = steps.find((step) => String(step?.rows[0]?.[0]?.value).startsWith("{"))?.rows ?? [];
  if (rows.length === 0) return undefined;
  const records = rows.map(([cell]) => JSON.parse(String(cell?.value)) as unknown);
  return list ? records : records[0];
}
