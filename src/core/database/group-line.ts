import { ATTEMPT_MS } from "./clients.ts";
import type { End } from "./group.ts";
import { keptByName } from "./kept-by-name.ts";
import type { Bound } from "./protocol.ts";
import { withTimer } from "./timer.ts";

/** No turn came in time: nothing was sent. */
export class NoTurn extends Error {}
/** The request that had sent the group was cut off before it said how the group ended. */
export class LeaderGone extends Error {}

/**
 * A batch that waits. `size`: of its texts and values; `isAlone`: whether it goes in no group; `deadline`: when its call
 * ends, in ms of `performance.now`.
 */
export type Batch = {
  statements: readonly Bound[];
  size: number;
  token: string;
  isAlone: boolean;
  deadline: number;
};
type SendGroup = (group: readonly Batch[], timeoutMs: number) => Promise<readonly End[]>;
/** The right to send, until it is given back or its time is over (in ms of `performance.now`). */
type Lease = { until: number };
type Turn = { lease: Lease } | { end: End };
type Waiter = { batch: Batch; resolve: (turn: Turn) => void; turn: Promise<Turn>; sentWith?: Lease };

/** A batch whose call ends sooner is not sent: the database might not answer by then. */
const LEAST_ATTEMPT_MS = 2_000;
/** Longer than any attempt takes: a leader that has not ended by then was cut off. */
const LEASE_MS = 10_000;
/** The same of an attempt that has less time. */
const ENDING_MS = 1_000;
/** How long a request that is woken may take to begin. */
const BEGINNING_MS = 500;
/** How often a request that waits makes sure that one of those before it still acts. */
const WATCH_MS = 1_000;
// So few that a group ends well within the 5 s after which sqld gives its lock to another.
const MOST_STATEMENTS = 400;
const MOST_SIZE = 512 * 1_024;

/**
 * Writes to a database one group of batches after the other. The request that finds the database free sends a group: its
 * own batch and those that wait, in the order in which they came. Then it wakes the next request, which sends the next
 * group. sqld's own line of writers is not used, for it may stop for good (libsql-server 0.24, connection_manager.rs,
 * `acquire` and `checkpoint`). A Durable Object cannot join: the runtime lets no other request wake one of an object's.
 */
export class GroupLine {
  readonly #leaseMs: number;
  readonly #waiting = new Set<Waiter>();
  #lease: Lease | undefined;

  constructor(leaseMs = LEASE_MS) {
    this.#leaseMs = leaseMs;
  }

  get isIdle(): boolean {
    return this.#lease === undefined && this.#waiting.size === 0;
  }

  /** How many batches wait for their turn, or for their end. */
  get length(): number {
    return this.#waiting.size;
  }

  /**
   * Gives how the batch ended. `send` sends a group that begins with this batch, in at most so many milliseconds; it throws
   * where no batch of the group has an end of its own. Throws `NoTurn` when no turn comes while there is time to send the
   * batch, and `LeaderGone` when the request that sent it was cut off: then it may be done.
   */
  async write(batch: Batch, send: SendGroup): Promise<End> {
    const deadline = batch.deadline - LEAST_ATTEMPT_MS;
    let waiter = this.#join(batch);
    for (;;) {
      this.#wakeNext();
      // The runtime takes a request for hung that waits for another one without a timer of its own.
      const turn = await withTimer(waiter.turn, this.#patienceOf(waiter, deadline));
      if (turn !== undefined && "end" in turn) return turn.end;
      if (turn !== undefined && turn.lease === this.#lease) return this.#sendGroup(turn.lease, waiter, send);
      if (turn !== undefined) waiter = this.#join(batch);
      const now = performance.now();
      if (waiter.sentWith === undefined ? now < deadline : now < waiter.sentWith.until) continue;
      if (waiter.sentWith !== undefined) throw new LeaderGone();
      this.#waiting.delete(waiter);
      throw new NoTurn("No turn among the writers of the database came in time");
    }
  }

  #join(batch: Batch): Waiter {
    const { promise, resolve } = Promise.withResolvers<Turn>();
    const waiter = { batch, resolve, turn: promise };
    this.#waiting.add(waiter);
    return waiter;
  }

  #patienceOf({ sentWith }: Waiter, deadline: number): number {
    const now = performance.now();
    if (sentWith !== undefined) return sentWith.until - now;
    return Math.min(deadline - now, (this.#lease?.until ?? deadline) - now, WATCH_MS);
  }

  /** Gives the first that waits the right to send, where no other request has it. */
  #wakeNext(): void {
    const now = performance.now();
    if (this.#lease !== undefined && this.#lease.until > now) return;
    this.#lease = undefined;
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#waiting.delete(first);
    this.#lease = { until: now + BEGINNING_MS };
    first.resolve({ lease: this.#lease });
  }

  async #sendGroup(lease: Lease, own: Waiter, send: SendGroup): Promise<End> {
    const group = [own, ...this.#takeOthers(own)];
    const batches = group.map(({ batch }) => batch);
    const now = performance.now();
    const timeoutMs = Math.min(ATTEMPT_MS, ...batches.map(({ deadline }) => deadline - now));
    lease.until = now + Math.min(this.#leaseMs, timeoutMs + ENDING_MS);
    for (const one of group) one.sentWith = lease;
    const ends = await send(batches, timeoutMs).catch((error: unknown) => group.map(() => ({ error })));
    if (this.#lease === lease) this.#lease = undefined;
    this.#wakeNext();
    for (const [place, { resolve }] of group.entries()) resolve({ end: endAt(ends, place) });
    return endAt(ends, 0);
  }

  /** Takes those that wait, in their order, as far as they may go with the first. */
  #takeOthers({ batch: first }: Waiter): Waiter[] {
    const others: Waiter[] = [];
    if (first.isAlone) return others;
    let { size } = first;
    let statements = first.statements.length;
    for (const waiter of this.#waiting) {
      const { batch } = waiter;
      size += batch.size;
      statements += batch.statements.length;
      const fits = size <= MOST_SIZE && statements <= MOST_STATEMENTS;
      if (batch.isAlone || batch.token !== first.token || !fits) break;
      this.#waiting.delete(waiter);
      others.push(waiter);
    }
    return others;
  }
}

// An error is made only where it is needed: each takes a picture of the stack.
function endAt(ends: readonly End[], place: number): End {
  return ends[place] ?? { error: new LeaderGone() };
}

/** The isolate's own line of writers of the database at this address. */
export const groupLineOf = keptByName(() => new GroupLine());

/** How many write batches of the isolate wait, in all lines. */
export function waitingWrites(): number {
  return [...groupLineOf.all()].reduce((sum, { length }) => sum + length, 0);
}
