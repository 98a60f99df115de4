const BUCKET_MS = 100;
const WINDOW_BUCKETS = 600;
const BUCKETS = WINDOW_BUCKETS + 1;
// Buckets that have left the window are cut off once there are this many.
const CUT_AT = 64;

export const WINDOW_MS = WINDOW_BUCKETS * BUCKET_MS;

/**
 * Counts events of the last 60 seconds in buckets of 100 ms. The oldest bucket, partly outside, counts whole.
 * So at most the limit is admitted in any 60 s, and a call is refused at most 100 ms too long. Only buckets with events
 * are kept, so a window of few events is small.
 */
export class SlidingWindow {
  #buckets: number[] = [];
  #counts: number[] = [];
  #oldest = 0;
  #newest = 0;
  #total = 0;

  /** Moves the window to `now` (epoch ms, never backwards) and gives the count inside it. */
  advance(now: number): number {
    this.#newest = Math.max(this.#newest, Math.floor(now / BUCKET_MS));
    const from = this.#newest - WINDOW_BUCKETS;
    while ((this.#buckets[this.#oldest] ?? from) < from) {
      this.#total -= this.#counts[this.#oldest] ?? 0;
      this.#oldest += 1;
    }
    if (this.#oldest >= CUT_AT) {
      this.#buckets = this.#buckets.slice(this.#oldest);
      this.#counts = this.#counts.slice(this.#oldest);
      this.#oldest = 0;
    }
    return this.#total;
  }

  /** Counts one event in the newest bucket. */
  add(): void {
    const last = this.#buckets.length - 1;
    if (this.#buckets[last] === this.#newest) this.#counts[last] = (this.#counts[last] ?? 0) + 1;
    else {
      this.#buckets.push(this.#newest);
      this.#counts.push(1);
    }
    this.#total += 1;
  }

  /** Milliseconds from `now` until the oldest counted event leaves the window; 0 when it is empty. */
  untilOldestLeaves(now: number): number {
    const bucket = this.#buckets[this.#oldest];
    return bucket === undefined ? 0 : Math.max(0, (bucket + BUCKETS) * BUCKET_MS - now);
  }
}
