import { DurableObject } from "cloudflare:workers";

/** About how long a write takes at the database, where writers queue anyway. */
const SPACING_MS = 3;
const AT_ONCE = 8;
const PATIENCE_MS = 2_000;

/**
 * One object per instructor and day: spaces out concurrent calls, so that they reach the database in the order of
 * arrival and not all at once. Memory only: it sheds load, while the overlap rule alone decides.
 */
export class SlotPacer extends DurableObject {
  #next = 0;

  /** How many milliseconds the caller is to wait, at most two seconds. `now`: epoch ms. */
  arrive(now: number): number {
    // Beyond that, a longer wait does not help.
    const from = this.#next > now + PATIENCE_MS ? now : Math.max(this.#next, now - AT_ONCE * SPACING_MS);
    this.#next = from + SPACING_MS;
    return Math.max(0, from - now);
  }
}
