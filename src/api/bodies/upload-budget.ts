import { MINUTE_MS } from "#shared/time/durations.ts";
/** A form under way: its bytes are reserved until the work on it has ended. Times are epoch milliseconds. */
export type Arrival = {
  readonly company: string;
  readonly bytes: number;
  readonly since: number;
  received: number;
  lastByteAt: number;
  /** When the whole body was there. */
  completeAt?: number;
  /** When the budget ended it, so that another company's form has room. */
  endedAt?: number;
};

/** A form that wants room. One that is not asked for any more belongs to a caller that went away. */
export type Waiting = { company: string; bytes: number; since: number; askedAt: number };

/** A body without a new byte for this long has ended. */
export const IDLE_MS = 10_000;
/** How long a body may be slow before it can be ended for another company. */
const SLOW_MS = 5_000;
/** The runtime drops the request of a caller that goes away, its `finally` too: after this its bytes are free again. */
const LEASE_MS = MINUTE_MS;
const LOST_MS = 2_000;

/** Shares the bytes that forms may take of one isolate's memory between companies, so that none can take all of it. */
export class UploadBudget {
  readonly #budget: number;
  readonly #arrivals = new Set<Arrival>();
  readonly #waiting = new Set<Waiting>();
  // When each company last got room: one that has not yet got any goes first.
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /**
   * The reserved bytes, or undefined while there is no room: then ask again, with the same `waiting`, until the caller
   * gives up.
   */
  ask(waiting: Waiting, now: number): Arrival | undefined {
    waiting.askedAt = now;
    this.#waiting.add(waiting);
    this.#forgetLost(now);
    if ([...this.#waiting].some((other) => this.#goesBefore(other, waiting))) return undefined;
    if (this.#held() + waiting.bytes > this.#budget) {
      this.#makeCapacity(waiting, now);
      return undefined;
    }
    this.#waiting.delete(waiting);
    const { company, bytes } = waiting;
    const arrival: Arrival = { company, bytes, since: now, received: 0, lastByteAt: now };
    this.#arrivals.add(arrival);
    this.#turn += 1;
    this.#turns.set(company, this.#turn);
    return arrival;
  }

  /** The caller has given up. */
  leave(waiting: Waiting): void {
    this.#waiting.delete(waiting);
  }

  /** The bytes are free again. */
  release(arrival: Arrival): void {
    this.#arrivals.delete(arrival);
  }

  #held(company?: string): number {
    let bytes = 0;
    for (const arrival of this.#arrivals)
      if (company === undefined || arrival.company === company) bytes += arrival.bytes;
    return bytes;
  }

  #goesBefore(one: Waiting, other: Waiting): boolean {
    if (one.company === other.company) return one.since < other.since;
    const more = this.#held(one.company) - this.#held(other.company);
    if (more !== 0) return more < 0;
    const later = (this.#turns.get(one.company) ?? 0) - (this.#turns.get(other.company) ?? 0);
    return later === 0 ? one.since < other.since : later < 0;
  }

  /** Ends the slowest body of the company that holds most, where that is more than the waiting company has. */
  #makeCapacity(waiting: Waiting, now: number): void {
    // An ended body gives its bytes back within moments.
    const ending = [...this.#arrivals].filter(({ endedAt }) => endedAt !== undefined);
    const free = this.#budget - this.#held() + ending.reduce((sum, { bytes }) => sum + bytes, 0);
    if (free >= waiting.bytes) return;
    const own = this.#held(waiting.company);
    const [slowest] = [...this.#arrivals]
      .filter(({ completeAt, endedAt }) => completeAt === undefined && endedAt === undefined)
      .filter(({ company, since }) => since + SLOW_MS <= now && this.#held(company) > own)
      .sort(
        (one, other) =>
          this.#held(other.company) - this.#held(one.company) || speedOf(one, now) - speedOf(other, now),
      );
    if (slowest !== undefined) slowest.endedAt = now;
  }

  #forgetLost(now: number): void {
    for (const waiting of this.#waiting) if (waiting.askedAt + LOST_MS < now) this.#waiting.delete(waiting);
    for (const arrival of this.#arrivals) if (isLost(arrival, now)) this.#arrivals.delete(arrival);
    const known = new Set([...this.#arrivals, ...this.#waiting].map(({ company }) => company));
    for (const company of this.#turns.keys()) if (!known.has(company)) this.#turns.delete(company);
  }
}

function speedOf({ received, since }: Arrival, now: number): number {
  return received / (now - since);
}

function isLost({ completeAt, endedAt, lastByteAt }: Arrival, now: number): boolean {
  if (completeAt !== undefined) return completeAt + LEASE_MS < now;
  return (endedAt ?? lastByteAt + IDLE_MS) + LOST_MS < now;
}
