import { DurableObject } from "cloudflare:workers";

const AT_ONCE = 8;
const PATIENCE_MS = 2_000;

/**
 * One object per instructor and day: lets a few of its racers at the database at once, in the order they came, and each
 * after two seconds whatever happens. Memory only: it sheds load, while the overlap rule alone decides.
 */
export class SlotLock extends DurableObject {
  readonly #inside = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #waiting = new Set<() => void>();
  #tickets = 0;

  /** Waits for the caller's turn; the ticket ends it. */
  async enter(): Promise<number> {
    if (this.#inside.size >= AT_ONCE) await this.#turn();
    this.#tickets += 1;
    const ticket = this.#tickets;
    // A caller that never leaves (its isolate died) keeps its place no longer than others wait.
    this.#inside.set(
      ticket,
      setTimeout(() => this.leave(ticket), PATIENCE_MS),
    );
    return ticket;
  }

  /** Lets the next caller go on. */
  leave(ticket: number): void {
    clearTimeout(this.#inside.get(ticket));
    if (!this.#inside.delete(ticket)) return;
    const [next] = this.#waiting;
    next?.();
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(patience);
        this.#waiting.delete(go);
        resolve();
      };
      const patience = setTimeout(go, PATIENCE_MS);
      this.#waiting.add(go);
    });
  }
}
