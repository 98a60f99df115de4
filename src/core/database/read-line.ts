import type { End } from "./group.ts";
import { keptByName } from "./kept-by-name.ts";
import type { Bound } from "./protocol.ts";
import { withTimer } from "./timer.ts";

/** A batch of SELECTs. `size`: of its texts and values. */
export type ReadBatch = { statements: readonly Bound[]; size: number };
type SendGroup = (group: readonly ReadBatch[]) => Promise<readonly End[]>;
type Turn = "go" | { end: End };
type Waiter = { batch: ReadBatch; resolve: (turn: Turn) => void; turn: Promise<Turn>; isSent: boolean };

/** So many requests are under way before a read waits. */
const MOST_UNDER_WAY = 2;
/** How long a read waits at most to be sent. */
const PATIENCE_MS = 10;
/** A request that has not ended by then is slow, or was cut off: no read waits for it any longer. */
const SENDER_MS = 1_000;
// So few that one read does not wait long for the others of its group.
const MOST_BATCHES = 16;
const MOST_SIZE = 256 * 1_024;

/**
 * Reads of a database: while requests are under way, those that come wait a moment, and then go together in one request.
 * Each still stands by itself in it. What a read costs beside its SELECT, in the Worker and in the database, is shared.
 */
export class ReadLine {
  readonly #waiting = new Set<Waiter>();
  /** Until when each request that is under way counts, in ms of `performance.now`. */
  readonly #underWay = new Set<{ until: number }>();

  get isIdle(): boolean {
    return this.#underWay.size === 0 && this.#waiting.size === 0;
  }

  /** Gives how the batch ended. `send` sends a group that begins with this batch. */
  async read(batch: ReadBatch, send: SendGroup): Promise<End> {
    if (this.#hasRoom()) return this.#sendGroup(batch, send);
    const waiter = this.#join(batch);
    // The runtime takes a request for hung that waits for another one without a timer of its own.
    let turn = await withTimer(waiter.turn, PATIENCE_MS);
    if (turn === undefined && waiter.isSent) turn = await withTimer(waiter.turn, SENDER_MS);
    if (turn !== undefined && turn !== "go") return turn.end;
    this.#waiting.delete(waiter);
    return this.#sendGroup(batch, send);
  }

  #hasRoom(): boolean {
    const now = performance.now();
    for (const one of this.#underWay) if (one.until < now) this.#underWay.delete(one);
    return this.#underWay.size < MOST_UNDER_WAY;
  }

  #join(batch: ReadBatch): Waiter {
    const { promise, resolve } = Promise.withResolvers<Turn>();
    const waiter = { batch, resolve, turn: promise, isSent: false };
    this.#waiting.add(waiter);
    return waiter;
  }

  /** Sends the batch with those that wait, and then wakes the next that waits. */
  async #sendGroup(own: ReadBatch, send: SendGroup): Promise<End> {
    const others = this.#takeOthers(own.size);
    const mark = { until: performance.now() + SENDER_MS };
    this.#underWay.add(mark);
    const group = [own, ...others.map(({ batch }) => batch)];
    const ends = await send(group).catch((error: unknown) => group.map(() => ({ error })));
    this.#underWay.delete(mark);
    const [next] = this.#waiting;
    if (next !== undefined && this.#hasRoom()) {
      this.#waiting.delete(next);
      next.resolve("go");
    }
    for (const [place, { resolve }] of others.entries()) resolve({ end: endAt(ends, place + 1) });
    return endAt(ends, 0);
  }

  #takeOthers(ownSize: number): Waiter[] {
    const others: Waiter[] = [];
    let size = ownSize;
    for (const waiter of this.#waiting) {
      size += waiter.batch.size;
      if (size > MOST_SIZE || others.length + 1 === MOST_BATCHES) break;
      this.#waiting.delete(waiter);
      waiter.isSent = true;
      others.push(waiter);
    }
    return others;
  }
}

function endAt(ends: readonly End[], place: number): End {
  return ends[place] ?? { error: new Error("A read of a group has no end") };
}

/** The isolate's own line of readers of the database at this address, with this token. */
export const readLineOf = keptByName(() => new ReadLine());
