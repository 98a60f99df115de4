import { DurableObject } from "cloudflare:workers";
import { SlidingWindow, WINDOW_MS } from "./sliding-window.ts";

/** At most `limit` calls a minute in the window named `name` (one window per client address, say). */
export type Quota = { name: string; limit: number };

/** The answer to one call: the tightest of its quotas. `resetMs`: until the oldest counted call leaves the window. */
export type Admission = { admitted: boolean; limit: number; remaining: number; resetMs: number };

const PRUNE_ABOVE = 1_000;

/**
 * One object per API key: exactly its limit in any 60 seconds. The windows live in memory, and the object stays there
 * until the last counted call has left its window.
 */
export class RateLimiter extends DurableObject {
  readonly #windows = new Map<string, { window: SlidingWindow; touched: number }>();
  #staying = false;
  #counted = false;

  /** Admits the call if every quota has room, and only then counts it in all of them. `now`: epoch ms. */
  take(now: number, quotas: Quota[]): Admission {
    const states = quotas.map((quota) => {
      const window = this.#window(quota.name, now);
      return { quota, window, used: window.advance(now) };
    });
    const admitted = states.every(({ quota, used }) => used < quota.limit);
    let answer: Admission | undefined;
    for (const { quota, window, used } of states) {
      if (admitted) window.add();
      const remaining = Math.max(0, quota.limit - used - (admitted ? 1 : 0));
      const resetMs = window.untilOldestLeaves(now);
      if (
        answer === undefined ||
        remaining < answer.remaining ||
        (remaining === answer.remaining && resetMs > answer.resetMs)
      ) {
        answer = { admitted, limit: quota.limit, remaining, resetMs };
      }
    }
    if (admitted) this.#stay();
    return answer ?? { admitted: true, limit: 0, remaining: 0, resetMs: 0 };
  }

  // An object without a timer is evicted after 10 seconds without a call, and would forget its windows:
  // developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle
  #stay(): void {
    this.#counted = this.#staying;
    if (this.#staying) return;
    this.#staying = true;
    setTimeout(() => {
      this.#staying = false;
      if (this.#counted) this.#stay();
    }, WINDOW_MS);
  }

  #window(name: string, now: number): SlidingWindow {
    const known = this.#windows.get(name);
    if (known !== undefined) {
      known.touched = now;
      return known.window;
    }
    if (this.#windows.size >= PRUNE_ABOVE) this.#prune(now);
    const window = new SlidingWindow();
    this.#windows.set(name, { window, touched: now });
    return window;
  }

  #prune(now: number): void {
    for (const [name, { touched }] of this.#windows)
      if (touched <= now - WINDOW_MS) this.#windows.delete(name);
  }
}
