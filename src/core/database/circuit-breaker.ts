import { keptByName } from "./kept-by-name.ts";

/** The database does not answer, or too many wait for it already: nothing was sent. `waitMs`: when to ask again. */
export class Refused extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super();
    this.waitMs = waitMs;
  }
}

/** One attempt to use a database; `isProbe` where it finds out whether the database answers again. */
type Attempt = { startedAt: number; isProbe: boolean };
type End = "answered" | "silent" | "not asked";
export type Ask = <Result>(
  work: () => Promise<Result>,
  isSilence: (error: unknown) => boolean,
) => Promise<Result>;

const MOST_WAITING = 256;
/** So long nothing has ended while others waited: the database is stuck. */
const STUCK_MS = 3_000;
const SHORTEST_WAIT_MS = 1_000;
/** Longer than a call waits for its turn, or for an answer: who has not ended by then never does. */
const GONE_MS = 13_000;
/** Time without an answer before the database counts as down: more than one attempt takes, for its answer can be lost. */
const SILENCE_MS = 10_000;
const PAUSE_MS = 2_000;

/**
 * Keeps calls away from a database that does not answer. It is closed while the database answers, opens when attempts
 * have waited too long in vain, and then lets one attempt through from time to time. Times are ms of `performance.now`.
 */
export class CircuitBreaker {
  readonly #underWay = new Set<Attempt>();
  #endedAt = 0;
  #answeredAt = 0;
  #silentAt = 0;
  #silentMs = 0;
  #isOpen = false;
  #openUntil = 0;

  get isIdle(): boolean {
    return this.#underWay.size === 0 && !this.#isOpen;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Makes an attempt: `use` waits for its turn and then asks the database. A retry may go first where the circuit
   * breaker is open and no other attempt runs. Throws `Refused` where it may not ask, before it waits or at its turn.
   */
  async attempt<Result>(isRetry: boolean, use: (ask: Ask) => Promise<Result>): Promise<Result> {
    const attempt = this.#enter(isRetry, performance.now());
    let end: End = "not asked";
    try {
      return await use(async (work, isSilence) => {
        if (this.#isOpen && !attempt.isProbe) throw new Refused(this.#waitMs(performance.now()));
        attempt.startedAt = performance.now();
        try {
          const result = await work();
          end = "answered";
          return result;
        } catch (error) {
          end = isSilence(error) ? "silent" : "answered";
          throw error;
        }
      });
    } finally {
      if (this.#underWay.delete(attempt)) this.#learn(attempt, end, performance.now());
    }
  }

  #enter(isRetry: boolean, now: number): Attempt {
    for (const one of this.#underWay) if (one.startedAt + GONE_MS < now) this.#underWay.delete(one);
    const isProbe = this.#isOpen;
    if (isProbe) {
      const isProbed = [...this.#underWay].some((one) => one.isProbe);
      if (isProbed || (now < this.#openUntil && !isRetry)) throw new Refused(this.#waitMs(now));
    } else if (this.#underWay.size >= MOST_WAITING && this.#isStuck(now)) throw new Refused(SHORTEST_WAIT_MS);
    const attempt = { startedAt: now, isProbe };
    this.#underWay.add(attempt);
    return attempt;
  }

  #learn({ startedAt, isProbe }: Attempt, end: End, now: number): void {
    this.#endedAt = now;
    if (end === "answered") {
      this.#answeredAt = now;
      this.#silentMs = 0;
      this.#isOpen = false;
    }
    if (end !== "silent" || this.#answeredAt > startedAt) return;
    // Attempts that waited side by side waited once.
    this.#silentMs += now - Math.max(startedAt, this.#silentAt);
    this.#silentAt = now;
    if (this.#isOpen ? !isProbe : this.#silentMs < SILENCE_MS) return;
    this.#isOpen = true;
    this.#openUntil = now + PAUSE_MS;
  }

  #waitMs(now: number): number {
    return Math.max(this.#openUntil - now, SHORTEST_WAIT_MS);
  }

  #isStuck(now: number): boolean {
    const [oldest] = this.#underWay;
    return oldest !== undefined && now - Math.max(this.#endedAt, oldest.startedAt) > STUCK_MS;
  }
}

const circuitBreakers = keptByName(() => new CircuitBreaker());

/** The isolate's own circuit breaker before the reads, or the writes, of the database at this address. */
export function circuitBreakerOf(url: string, mode: "read" | "write"): CircuitBreaker {
  return circuitBreakers(`${mode} ${url}`);
}

/** How many circuit breakers of the isolate are open. */
export function openCircuitBreakers(): number {
  return [...circuitBreakers.all()].filter(({ isOpen }) => isOpen).length;
}
