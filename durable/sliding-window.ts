const BUCKET_MS = 100;
const WINDOW_BUCKETS = 600;
const BUCKETS = WINDOW_BUCKETS + 1;

export const WINDOW_MS = WINDOW_BUCKETS * BUCKET_MS;

/**
 * Counts events of the last 60 seconds in buckets of 100 ms. The oldest bucket, partly outside, counts whole: so
 * never more than the limit is admitted in any 60 s, and one is refused at most 100 ms longer than need be.
 */
export class SlidingWindow {
  readonly #counts = new Uint32Array(BUCKETS);
  #newest = 0;
  #total = 0;

  /** Moves the window to `now` (epoch ms, never backwards) and gives the count inside it. */
  advance(now: number): number {
    const bucket = Math.max(this.#newest, Math.floor(now / BUCKET_MS));
    const steps = Math.min(bucket - this.#newest, BUCKETS);
    for (let step = 1; step <= steps; step += 1) {
      const slot = (bucket - steps + step) % BUCKETS;
      this.#total -= this.#counts[slot] ?? 0;
      this.#counts[slot] = 0;
    }
    this.#newest = bucket;
    return this.#total;
  }

  /** Counts one event in the newest bucket. */
  add(): void {
    const slot = this.#newest % BUCKETS;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    this.#total += 1;
  }

  /** Milliseconds from `now` until the oldest counted event leaves the window; 0 when it is empty. */
  untilOldestLeaves(now: number): number {
    for (let age = BUCKETS - 1; age >= 0; age -= 1) {
      const bucket = this.#newest - age;
      if (bucket >= 0 && (this.#counts[bucket % BUCKETS] ?? 0) > 0)
        return Math.max(0, (bucket + BUCKETS) * BUCKET_MS - now);
    }
    return 0;
  }
}
