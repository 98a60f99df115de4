import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import { parsed } from "#shared/json.ts";

export const ANSWERS = ["200", "500", "410", "slow"] as const;
export type Answer = (typeof ANSWERS)[number];
type Judgement = {
  /** `unknown`: the receiver does not have the secret. */
  signature: "valid" | "wrong" | "unknown";
  why: string | null;
};

/** One request as it came, and what it was answered; `answer` is null while it waits. */
export type Arrival = Judgement & {
  number: number;
  /** Of the receiver, as the path names it. */
  name: string;
  at: string;
  type: string | null;
  event_id: string | null;
  /** Which one of the requests with this id at this receiver it is, from 1 on. */
  attempt: number;
  answer: number | null;
  /** Whether the answer came after the sender had stopped waiting. */
  is_late: boolean;
  headers: IncomingHttpHeaders;
  body: string;
};

type Options = {
  slowMs?: number;
  /** Where secrets are kept; in memory where nothing is said. */
  secrets?: Secrets;
};

/** The secrets of endpoints by the names of their receivers. */
export type Secrets = {
  known: () => Record<string, string>;
  keep: (name: string, secret: string) => void;
};

type Plan = { answer: Answer; left: number };

export const MOST_ARRIVALS = 200;
// Past the time at which a webhook counts as unanswered.
const SLOW_MS = 20_000;
// As long as a signature holds.
const FRESH_MS = 300_000;

/** Receives webhooks under any names, checks their signatures, and answers as it was set to. In memory. */
export class Receiver {
  readonly slowMs: number;
  readonly #arrivals: Arrival[] = [];
  readonly #secrets: Secrets;
  /** The secret that each one was judged by. */
  readonly #judgedBy = new WeakMap<Arrival, string | undefined>();
  readonly #plans = new Map<string, Plan>();
  #last = 0;

  constructor({ slowMs = SLOW_MS, secrets = inMemory() }: Options = {}) {
    this.slowMs = slowMs;
    this.#secrets = secrets;
  }

  /** Enters the secret of the endpoint that calls this name; throws where it is none. */
  knowSecret(name: string, secret: string): void {
    if (!/^whsec_[\w+/]+=*$/.test(secret)) throw new Error("A secret is whsec_ and base64");
    new Webhook(secret);
    this.#secrets.keep(name, secret);
  }

  /** Says how the next requests to a name are answered; after them 200 again. */
  plan(name: string, answer: Answer, times: number): void {
    if (answer === "200") this.#plans.delete(name);
    else this.#plans.set(name, { answer, left: times });
  }

  /** Takes a request in, and says how it is answered. */
  receive(name: string, headers: IncomingHttpHeaders, body: string): { arrival: Arrival; answer: Answer } {
    this.#last += 1;
    const id = headers["webhook-id"];
    const event_id = typeof id === "string" ? id : null;
    const before = this.#arrivals.find((one) => one.name === name && one.event_id === event_id);
    const { type } = Object(parsed(body));
    const request = { name, headers, body };
    const secret = this.#secretOf(name);
    const arrival: Arrival = {
      number: this.#last,
      ...request,
      at: new Date().toISOString(),
      event_id,
      answer: null,
      is_late: false,
      type: typeof type === "string" ? type : null,
      attempt: event_id === null ? 1 : (before?.attempt ?? 0) + 1,
      ...judge(request, secret),
    };
    this.#judgedBy.set(arrival, secret);
    this.#arrivals.unshift(arrival);
    this.#arrivals.splice(MOST_ARRIVALS);
    return { arrival, answer: this.#take(name) };
  }

  /** What came, newest first; judged anew where it is not valid and another secret is known by now. */
  list(): readonly Arrival[] {
    for (const one of this.#arrivals) {
      const secret = this.#secretOf(one.name);
      if (one.signature === "valid" || secret === undefined || secret === this.#judgedBy.get(one)) continue;
      Object.assign(one, judgeLater(one, secret));
      this.#judgedBy.set(one, secret);
    }
    return this.#arrivals;
  }

  find(number: number): Arrival | undefined {
    return this.#arrivals.find((one) => one.number === number);
  }

  /** Every name that was called or prepared, with the end of its secret and how it answers next. */
  receivers(): { name: string; secret: string | null; next: Plan | null }[] {
    const called = this.#arrivals.map(({ name }) => name);
    const names = new Set([...Object.keys(this.#secrets.known()), ...this.#plans.keys(), ...called]);
    return [...names].sort().map((name) => ({
      name,
      secret: this.#secretOf(name)?.slice(-4) ?? null,
      next: this.#plans.get(name) ?? null,
    }));
  }

  #secretOf(name: string): string | undefined {
    return this.#secrets.known()[name];
  }

  #take(name: string): Answer {
    const plan = this.#plans.get(name);
    if (plan === undefined) return "200";
    plan.left -= 1;
    if (plan.left === 0) this.#plans.delete(name);
    return plan.answer;
  }
}

function inMemory(): Secrets {
  const known: Record<string, string> = {};
  return {
    known: () => known,
    keep(name, secret) {
      known[name] = secret;
    },
  };
}

function judge({ headers, body }: Pick<Arrival, "headers" | "body">, secret: string | undefined): Judgement {
  if (secret === undefined) return { signature: "unknown", why: null };
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return { signature: "valid", why: null };
  } catch (error) {
    return { signature: "wrong", why: (error as Error).message };
  }
}

/** Judges one by a secret that became known after it came: its age is that at which it came. */
function judgeLater({ headers, body, at, why }: Arrival, secret: string): Judgement {
  const [id = "", timestamp = "", signatures = ""] = ["id", "timestamp", "signature"].map((part) =>
    String(headers[`webhook-${part}`] ?? ""),
  );
  const sentAt = new Date(Number(timestamp) * 1_000);
  const isFresh = Math.abs(sentAt.getTime() - Date.parse(at)) <= FRESH_MS;
  const isSigned = signatures.split(" ").includes(new Webhook(secret).sign(id, sentAt, body));
  if (isFresh && isSigned) return { signature: "valid", why: null };
  return { signature: "wrong", why: why ?? "No matching signature found" };
}
