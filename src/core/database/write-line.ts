/** No turn came in time: nothing was sent. */
export class NoTurn extends Error {}

/** A place among the writers, until it is left or its time is over (in ms of `performance.now`). */
type Turn = { until: number };
type Waiter = { seenAt: number; turn?: Turn };

const MOST_WRITERS = 1;
/** For Turso, whose addresses begin with `libsql:`: it is remote, and limits its own writers. */
const MOST_WRITERS_AFAR = 16;
/** Longer than any batch takes: who has not left by then never does, for the isolate has cut the call off. */
const TURN_MS = 10_000;
/** How long one waits before it looks again, for each that stands before it. */
const LOOK_EVERY_MS = 2;
const MOST_BETWEEN_LOOKS_MS = 50;
const GONE_MS = 1_000;

/**
 * Lets one batch after the other write to a database, in the order in which they came, as the database would itself. But
 * sqld's own line of writers may stop for good: who joins it while another one checkpoints can be forgotten, or stay in
 * it after leaving (libsql-server 0.24, connection_manager.rs, `acquire` and `checkpoint`).
 */
export class WriteLine {
  readonly #mostWriters: number;
  readonly #turnMs: number;
  readonly #turns = new Set<Turn>();
  readonly #waiters = new Set<Waiter>();

  constructor(mostWriters: number, turnMs = TURN_MS) {
    this.#mostWriters = mostWriters;
    this.#turnMs = turnMs;
  }

  get isIdle(): boolean {
    return this.#turns.size === 0 && this.#waiters.size === 0;
  }

  /** Does the work when its turn has come. Throws `NoTurn` when none comes within so many milliseconds. */
  async take<Result>(patienceMs: number, work: () => Promise<Result>): Promise<Result> {
    const turn = await this.#turn(performance.now() + patienceMs);
    try {
      return await work();
    } finally {
      this.#turns.delete(turn);
      this.#admit();
    }
  }

  // Each looks by its own clock: a promise that another request's call resolves would let the runtime take this one for
  // hung, and cut it off.
  async #turn(deadline: number): Promise<Turn> {
    const waiter: Waiter = { seenAt: performance.now() };
    for (;;) {
      this.#waiters.add(waiter);
      this.#admit();
      if (waiter.turn !== undefined) return waiter.turn;
      if (waiter.seenAt >= deadline) break;
      await pause(Math.min(this.#placeOf(waiter) * LOOK_EVERY_MS, MOST_BETWEEN_LOOKS_MS));
      if (waiter.turn !== undefined) return waiter.turn;
      waiter.seenAt = performance.now();
    }
    this.#waiters.delete(waiter);
    throw new NoTurn();
  }

  #placeOf(waiter: Waiter): number {
    let place = 1;
    for (const one of this.#waiters) {
      if (one === waiter) return place;
      place += 1;
    }
    return place;
  }

  #admit(): void {
    const now = performance.now();
    for (const turn of this.#turns) if (turn.until <= now) this.#turns.delete(turn);
    for (const waiter of this.#waiters) {
      if (this.#turns.size === this.#mostWriters) return;
      this.#waiters.delete(waiter);
      if (waiter.seenAt + GONE_MS < now) continue;
      waiter.turn = { until: now + this.#turnMs };
      this.#turns.add(waiter.turn);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const MOST_IDLE = 500;
const lines = new Map<string, WriteLine>();

/** The isolate's own line of writers of the database at this address. */
export function writeLineOf(url: string): WriteLine {
  const known = lines.get(url);
  if (known !== undefined) return known;
  if (lines.size >= MOST_IDLE) for (const [name, line] of lines) if (line.isIdle) lines.delete(name);
  const line = new WriteLine(url.startsWith("libsql:") ? MOST_WRITERS_AFAR : MOST_WRITERS);
  lines.set(url, line);
  return line;
}
