/** No turn came in time: nothing was sent. */
export class NoTurn extends Error {}

/** A place among the writers, until it is left or its time is over (in ms of `performance.now`). */
type Turn = { until: number };
type Waiter = { seenAt: number; begin: (turn: Turn) => void };

const MOST_WRITERS = 1;
/** Of a Turso database, whose address begins with `libsql:`: it is far away, and what guards it is Turso's own. */
const MOST_WRITERS_AFAR = 16;
/** Longer than any batch takes: who has not left by then never does, for the isolate has cut the call off. */
const TURN_MS = 10_000;
const LOOK_EVERY_MS = 100;
const GONE_MS = 500;

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

  async #turn(deadline: number): Promise<Turn> {
    let turn: Turn | undefined;
    let wake = () => {};
    const begin = (begun: Turn) => {
      turn = begun;
      wake();
    };
    const waiter: Waiter = { seenAt: performance.now(), begin };
    for (;;) {
      this.#waiters.add(waiter);
      this.#admit();
      if (turn !== undefined) return turn;
      if (waiter.seenAt >= deadline) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, LOOK_EVERY_MS);
      });
      if (turn !== undefined) return turn;
      waiter.seenAt = performance.now();
    }
    this.#waiters.delete(waiter);
    throw new NoTurn();
  }

  #admit(): void {
    const now = performance.now();
    for (const turn of this.#turns) if (turn.until <= now) this.#turns.delete(turn);
    for (const waiter of this.#waiters) {
      if (this.#turns.size === this.#mostWriters) return;
      this.#waiters.delete(waiter);
      if (waiter.seenAt + GONE_MS < now) continue;
      const turn = { until: now + this.#turnMs };
      this.#turns.add(turn);
      waiter.begin(turn);
    }
  }
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
