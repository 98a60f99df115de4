import { putNewest } from "#core/put-newest.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";

type Remembered<T> = { value: T; at: number };

const FRESH_MS = 10_000;
const REFRESHED_MS = FRESH_MS / 2;
const MISS_MS = 2_000;
const STALE_MS = MINUTE_MS;
/** After so long a look-up is taken for cut off, with the call that made it. */
const LOST_MS = 250;
const LOOK_EVERY_MS = 2;

/**
 * What an isolate remembers of the control database, by name. An age counts from before its read was sent. `now` is
 * epoch ms.
 */
export class Memory<T> {
  readonly #known = new Map<string, Remembered<T>>();
  readonly #lookingSince = new Map<string, number>();
  // What was read before something was dropped may be what it was before: it is given, and not remembered.
  #drops = 0;

  /** What is remembered and younger than `freshMs`; by itself 10 s, for what is not there 2 s. */
  peek(name: string, now: number, freshMs?: number): Remembered<T> | undefined {
    const known = this.#known.get(name);
    if (known === undefined) return undefined;
    return now - known.at < (freshMs ?? (known.value === null ? MISS_MS : FRESH_MS)) ? known : undefined;
  }

  /**
   * What is remembered, or else found by one look-up of all that ask meanwhile. What a failed one leaves is used for up
   * to 60 s; throws as it did when there is nothing.
   */
  async recall(name: string, now: number, look: () => Promise<T>): Promise<T> {
    const known = this.peek(name, now);
    if (known !== undefined) return known.value;
    const other = this.#isLooking(name) ? await this.#foundByOther(name, now) : undefined;
    if (other !== undefined) return other.value;
    try {
      return await this.lookUp(name, now, look);
    } catch (error) {
      const stale = this.peek(name, now, STALE_MS);
      if (stale?.value != null) return stale.value;
      throw error;
    }
  }

  /** Reads anew what is half its time old, unless a read runs; undefined where there is nothing to do. Never throws. */
  refresh(name: string, now: number, look: () => Promise<T>): Promise<unknown> | undefined {
    const known = this.#known.get(name);
    if (known?.value == null || now - known.at < REFRESHED_MS || this.#isLooking(name)) return undefined;
    // What fails is tried again by the call that finds nothing fresh.
    return this.lookUp(name, now, look).catch(() => undefined);
  }

  /** Looks up and remembers. */
  async lookUp(name: string, now: number, look: () => Promise<T>): Promise<T> {
    const before = this.#drops;
    putNewest(this.#lookingSince, name, performance.now());
    try {
      const value = await look();
      if (this.#drops === before) this.#remember(name, { value, at: now });
      return value;
    } finally {
      this.#lookingSince.delete(name);
    }
  }

  /** Drops all that `concerns` holds for. */
  drop(concerns: (name: string, value: T) => boolean): void {
    this.#drops += 1;
    for (const [name, { value }] of this.#known) if (concerns(name, value)) this.#known.delete(name);
  }

  #remember(name: string, found: Remembered<T>): void {
    // A look-up that took long saw less than one that began after it.
    if ((this.#known.get(name)?.at ?? Number.NEGATIVE_INFINITY) > found.at) return;
    putNewest(this.#known, name, found);
  }

  #isLooking(name: string): boolean {
    return performance.now() - (this.#lookingSince.get(name) ?? Number.NEGATIVE_INFINITY) < LOST_MS;
  }

  // It looks by its own clock: a promise that another request's call resolves would let the runtime take this one for
  // hung, and cut it off.
  async #foundByOther(name: string, now: number): Promise<Remembered<T> | undefined> {
    const until = performance.now() + LOST_MS;
    while (this.#isLooking(name) && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    return this.peek(name, now);
  }
}
