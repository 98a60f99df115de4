import { RateLimiter } from "../../../durable/rate-limiter.ts";
import { type Plan, type Plans, planName, type Statement } from "./plan.ts";
import { type Answer, Streams } from "./streams.ts";
import { Writers } from "./writers.ts";

export { RateLimiter };

type FloorEnv = {
  PLANS: string;
  LIMIT: string;
  /** The company's database, and the floor's own. */
  COMPANY_URL: string;
  FLOOR_URL: string;
  TOKEN: string;
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
};
type Floor = { plans: Plans; company: Streams; writers: Writers; limit: number };

const JSON_TEXT = /^[[{]/;
// Those of the run's beginning are the company's own.
const FIRST_CALL = 1_000;

let known: Floor | undefined;
let calls = FIRST_CALL;

/**
 * The least that a Worker can do for these operations: it asks the limiter beside one read, writes one batch, and
 * answers as the API did. Nothing is checked.
 */
export const floor = {
  async fetch(request, env) {
    known ??= floorOf(env);
    const { plans, company, limit } = known;
    const plan = plans[planName(request.method, new URL(request.url).pathname)];
    if (plan === undefined) return new Response(null, { status: 404 });
    if (request.method !== "GET") await request.json();
    const limiter = env.RATE_LIMITER.getByName(request.headers.get("X-Client-Id") ?? "");
    const [{ remaining }, read] = await Promise.all([
      limiter.take(Date.now(), [{ name: "key", limit }]),
      plan.read === null ? null : company.ask([plan.read]),
    ]);
    if (read?.failed) return new Response(read.failed, { status: 500 });
    if (plan.parses && read !== null) parse(read);
    const failed = await act(plan, known.writers);
    if (failed !== null) return new Response(failed, { status: 500 });
    return new Response(JSON.stringify(plan.answer), {
      status: plan.status,
      headers: { "Content-Type": "application/json", "X-RateLimit-Remaining": String(remaining) },
    });
  },
} satisfies ExportedHandler<FloorEnv>;

function floorOf({ PLANS, LIMIT, COMPANY_URL, FLOOR_URL, TOKEN }: FloorEnv): Floor {
  return {
    plans: JSON.parse(PLANS) as Plans,
    company: new Streams(COMPANY_URL, TOKEN),
    writers: new Writers(new Streams(FLOOR_URL, TOKEN)),
    limit: Number(LIMIT),
  };
}

/** Asks the gateway and writes, where the operation does. */
async function act({ gateway, write }: Plan, writers: Writers): Promise<string | null> {
  if (gateway !== null) {
    const { url, authorization, body } = gateway;
    const headers = { Authorization: authorization, "Content-Type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body });
    await answer.json();
  }
  if (write.length === 0) return null;
  calls += 1;
  const call = calls;
  return writers.write(write.map((statement) => textOf(statement, call)));
}

function textOf(statement: Statement, call: number): string {
  let text = "";
  for (const piece of statement) {
    if (typeof piece === "string") text += piece;
    else if ("turns" in piece) text += piece.turns[call % 2];
    else {
      const number = String(piece.first + piece.step * call);
      const { digits } = piece;
      text += digits === undefined ? number : number.padStart(digits, "0").slice(-digits);
    }
  }
  return text;
}

/** The records that the database gave as JSON texts, as an answer is made of them. */
function parse({ rows }: Answer): unknown[] {
  const cells = rows.flat().map(({ value }) => value);
  return cells
    .filter((value) => typeof value === "string" && JSON_TEXT.test(value))
    .map((value) => JSON.parse(String(value)));
}
