import { putNewest } from "../put-newest.ts";

/** A stream that the server keeps open under a name which changes with each use; times in ms of `performance.now`. */
export type Stream = { baton: string | null; leftAt: number; usedAt: number; isKept: boolean };
type Place = { askedAt: number; free: Stream[] };

/** A company that is asked less often than this is not worth a connection. */
const OFTEN_MS = 1_000;
/** Old streams are left, so that none outlives for long the database that it was opened on; not all in one moment. */
const OLDEST_MS = 8_000;
/** How long sqld keeps an unused stream (libsql-server, hrana/http/stream.rs). */
const EXPIRY_MS = 10_000;
const MOST_KEPT = 128;

/** The streams that an isolate keeps open: free ones, and those that were left and that the server still holds. */
export class Streams {
  readonly #most: number;
  readonly #places = new Map<string, Place>();
  readonly #used = new Set<Stream>();

  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  /** A stream for one request: one that is free, or a new one, which is kept where its database is asked often. */
  take(url: string, token: string): Stream {
    const now = performance.now();
    const place = this.#placeOf(`${url} ${token}`);
    const isOften = now - place.askedAt < OFTEN_MS;
    place.askedAt = now;
    const index = place.free.findLastIndex(({ leftAt }) => leftAt > now);
    const [free] = index < 0 ? [] : place.free.splice(index, 1);
    // Turso keeps connections of its own.
    const isKept = free !== undefined || (!url.startsWith("libsql:") && isOften && this.#hasCapacity(now));
    const leftAt = now + OLDEST_MS * (0.5 + Math.random() / 2);
    const stream = { baton: null, leftAt, ...free, usedAt: now, isKept };
    if (isKept) this.#used.add(stream);
    return stream;
  }

  /** Ends the use of a stream. `baton`: the name that it has now; without one it is not used again. */
  giveBack(url: string, token: string, stream: Stream, baton: string | null): void {
    if (!this.#used.delete(stream) || baton === null) return;
    this.#placeOf(`${url} ${token}`).free.push({ ...stream, baton, usedAt: performance.now() });
  }

  #placeOf(name: string): Place {
    const place = this.#places.get(name) ?? { askedAt: Number.NEGATIVE_INFINITY, free: [] };
    putNewest(this.#places, name, place);
    return place;
  }

  #hasCapacity(now: number): boolean {
    // Those of calls that were cut off never come back.
    for (const stream of this.#used) if (stream.usedAt + EXPIRY_MS < now) this.#used.delete(stream);
    let kept = this.#used.size;
    for (const place of this.#places.values()) {
      place.free = place.free.filter(({ usedAt }) => usedAt > now - EXPIRY_MS);
      kept += place.free.length;
    }
    return kept < this.#most;
  }
}
