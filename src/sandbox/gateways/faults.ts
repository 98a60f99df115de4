import { setTimeout as sleep } from "node:timers/promises";
import type { MiddlewareHandler } from "hono";
import type { Caller } from "./merchants.ts";
import { seededRandom } from "./seeded-random.ts";

export const FAULTS = [
  /** An API call is answered with a 503 and does nothing. */
  "refused_call",
  /** An API call does its work and is answered with a 500. */
  "failed_call",
  /** An API call does its work and is never answered. */
  "hanging_call",
  /** An API call does its work and is answered late. */
  "slow_call",
  /** An API call that writes does its work and is answered as one whose key is still worked at. */
  "busy_call",
  /** A refund waits for its bank, until a script ends it. */
  "refund_pending",
  /** A refund that succeeded fails later. */
  "refund_fails_late",
  /** A refund is refused because the account holds too little; Stripe takes it all the same. */
  "refund_refused",
  /** The answer to a webhook is lost, so that it is sent again. */
  "lost_answer",
  /** A webhook is sent twice at once. */
  "duplicate",
  /** A webhook is never sent. */
  "lost_event",
  /** Webhooks that belong together are sent late. */
  "late_event",
  /** Webhooks that belong together are sent in reverse. */
  "reordered",
  /** Webhooks that belong together are sent at once. */
  "together",
] as const;

const LATE_MS = 3_000;

type Fault = (typeof FAULTS)[number];

/** The share of occasions, 0 to 1, that each fault strikes. */
export type FaultRates = Partial<Record<Fault, number>> & { seed?: number };

/** The faults that tests ask for, by account. */
export class Faults {
  readonly #armed = new Map<string, { rates: FaultRates; random: () => number }>();

  set(account: string, rates: FaultRates): void {
    this.#armed.set(account, { rates, random: seededRandom(rates.seed ?? 1) });
  }

  strikes(account: string, fault: Fault): boolean {
    const armed = this.#armed.get(account);
    const rate = armed?.rates[fault] ?? 0;
    return armed !== undefined && rate > 0 && armed.random() < rate;
  }
}

/** Lets the calls of an API meet the faults of their account; `failure` is the body of its 5xx, `busy` of its 409. */
export function meetFaults(faults: Faults, failure: object, busy: object): MiddlewareHandler<Caller> {
  return async (c, next) => {
    const { account } = c.var.merchant;
    if (faults.strikes(account, "refused_call")) return c.json(failure, 503);
    await next();
    if (faults.strikes(account, "hanging_call")) await new Promise(() => undefined);
    if (faults.strikes(account, "slow_call")) await sleep(LATE_MS);
    if (c.req.method === "POST" && faults.strikes(account, "busy_call")) c.res = c.json(busy, 409);
    if (faults.strikes(account, "failed_call")) c.res = c.json(failure, 500);
  };
}
