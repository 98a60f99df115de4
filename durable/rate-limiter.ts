import { DurableObject } from "cloudflare:workers";
import { SlidingWindow, WINDOW_MS } from "./sliding-window.ts";

/** At most `limit` calls a minute in the window named `name` (one window per client address, say). */
export type Quota = { name: string; limit: number };

/** The answer to one call: the tightest of its quotas. `resetMs`: until the oldest counted call leaves the window. */
export type Admission = { admitted: boolean; limit: number; remaining: number; resetMs: number };

/** A quota's window, how much of it is used, and how much of it the call may use. */
type State = { quota: Quota; window: SlidingWindow | undefined; used: number; capacity: number };

const PRUNE_ABOVE = 1_000;
const PRUNE_EVERY_MS = 5_000;

/**
 * One object per API key: exactly its limit in any 60 seconds. The windows live in memory, and the object stays there
 * until the last counted call has left its window. Only admitted calls have windows, so the widest
 * limit bounds the memory.
 */
export class RateLimiter extends DurableObject {
  readonly #windows = new Map<string, SlidingWindow>();
  #staying = false;
  #counted = false;
  #pruned = 0;

  /**
   * Admits the call if every quota has capacity, and only then counts it in all of them. `now`: epoch ms. `quotas` go
   * from the narrowest to the widest. If `shared`, each is a part of the next: it may use only what the next has left,
   * so the part with the most calls is refused first, and capacity stays for those with few.
   */
  take(now: number, quotas: Quota[], shared = false): Admission {
    const states = this.#statesOf(now, quotas, shared);
    const admitted = states.every(({ used, capacity }) => used < capacity);
    let answer: Admission | undefined;
    let wider = 0;
    for (const { quota, window, used, capacity } of states) {
      const remaining = Math.max(0, Math.min(quota.limit, capacity) - used - (admitted ? 1 : 0));
      const counted = window ?? (admitted ? this.#open(quota.name, now) : undefined);
      if (admitted) counted?.add();
      const own = counted?.untilOldestLeaves(now) ?? 0;
      // A share grows also when calls of others leave the wider window.
      const isShort = !admitted && used < quota.limit && used >= capacity;
      const resetMs = isShort ? Math.min(own || wider, wider) : own;
      wider = resetMs;
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

  /** From the widest quota to the narrowest. */
  #statesOf(now: number, quotas: Quota[], shared: boolean): State[] {
    let left = Number.POSITIVE_INFINITY;
    return quotas.toReversed().map((quota) => {
      const window = this.#windows.get(quota.name);
      const used = window?.advance(now) ?? 0;
      const capacity = Math.min(quota.limit, left);
      if (shared) left = capacity - used;
      return { quota, window, used, capacity };
    });
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

  #open(name: string, now: number): SlidingWindow {
    const mayPrune = this.#windows.size >= PRUNE_ABOVE && now >= this.#pruned + PRUNE_EVERY_MS;
    if (mayPrune) this.#prune(now);
    const window = new SlidingWindow();
    window.advance(now);
    this.#windows.set(name, window);
    return window;
  }

  #prune(now: number): void {
    this.#pruned = now;
    for (const [name, window] of this.#windows) if (window.advance(now) === 0) this.#windows.delete(name);
  }
}
