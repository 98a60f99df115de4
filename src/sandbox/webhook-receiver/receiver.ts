import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import { parsed } from "../../providers/json.ts";

export const ANSWERS = ["200", "500", "410", "slow"] as const;
type Answer = (typeof ANSWERS)[number];
type Judgement = {
  /** `unknown`: nobody has told the secret. */
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
  headers: IncomingHttpHeaders;
  body: string;
};

type Options = {
  slowMs?: number;
  /** Secrets by names that somebody else keeps; what is entered goes before them. */
  remembered?: () => Record<string, string>;
};

type Plan = { answer: Answer; left: number };

export const MOST_ARRIVALS = 200;
// Past the time at which a webhook counts as unanswered.
const SLOW_MS = 20_000;
// As long as a signature holds.
const FRESH_MS = 300_000;

/** Receives webhooks under any names, checks their signatures, and answers as it was told. In memory. */
export class Receiver {
  readonly slowMs: number;
  readonly #arrivals: Arrival[] = [];
  readonly #remembered: () => Record<string, string>;
  readonly #entered = new Map<string, string>();
  readonly #plans = new Map<string, Plan>();
  #last = 0;

  constructor({ slowMs = SLOW_MS, remembered = () => ({}) }: Options = {}) {
    this.slowMs = slowMs;
    this.#remembered = remembered;
  }

  /** Enters the secret of the endpoint that calls this name; throws where it is none. */
  knowSecret(name: string, secret: string): void {
    if (!/^whsec_[\w+/]+=*$/.test(secret)) throw new Error("A secret is whsec_ and base64");
    new Webhook(secret);
    this.#entered.set(name, secret);
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
    const arrival: Arrival = {
      ...{ number: this.#last, ...request, at: new Date().toISOString(), event_id, answer: null },
      type: typeof type === "string" ? type : null,
      attempt: event_id === null ? 1 : (before?.attempt ?? 0) + 1,
      ...this.#judge(request),
    };
    this.#arrivals.unshift(arrival);
    this.#arrivals.splice(MOST_ARRIVALS);
    return { arrival, answer: this.#take(name) };
  }

  /** What came, newest first; judged anew where its secret became known in time. */
  list(): readonly Arrival[] {
    const since = Date.now() - FRESH_MS;
    for (const one of this.#arrivals)
      if (one.signature === "unknown" && Date.parse(one.at) > since) Object.assign(one, this.#judge(one));
    return this.#arrivals;
  }

  find(number: number): Arrival | undefined {
    return this.#arrivals.find((one) => one.number === number);
  }

  /** Every name that was called or prepared, with the end of its secret and how it answers next. */
  receivers(): { name: string; secret: string | null; next: Plan | null }[] {
    const called = this.#arrivals.map(({ name }) => name);
    const known = [...Object.keys(this.#remembered()), ...this.#entered.keys()];
    const names = new Set([...known, ...this.#plans.keys(), ...called]);
    return [...names].sort().map((name) => ({
      name,
      secret: this.#secretOf(name)?.slice(-4) ?? null,
      next: this.#plans.get(name) ?? null,
    }));
  }

  #judge({ name, headers, body }: Pick<Arrival, "name" | "headers" | "body">): Judgement {
    const secret = this.#secretOf(name);
    if (secret === undefined) return { signature: "unknown", why: null };
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
      return { signature: "valid", why: null };
    } catch (error) {
      return { signature: "wrong", why: (error as Error).message };
    }
  }

  #secretOf(name: string): string | undefined {
    return this.#entered.get(name) ?? this.#remembered()[name];
  }

  #take(name: string): Answer {
    const plan = this.#plans.get(name);
    if (plan === undefined) return "200";
    plan.left -= 1;
    if (plan.left === 0) this.#plans.delete(name);
    return plan.answer;
  }
}
