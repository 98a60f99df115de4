import { DurableObject } from "cloudflare:workers";

const WAIT_MS = 2_000;

/**
 * One object per instructor and day: callers go on one after another, each once the one before has left, and at the
 * latest after two seconds. Memory only: it spares the database the racers, while the overlap rule alone decides.
 */
export class SlotLock extends DurableObject {
  readonly #leave = new Map<number, () => void>();
  #last: Promise<void> = Promise.resolve();
  #tickets = 0;

  /** Waits for the caller's turn; the ticket ends it. */
  async enter(): Promise<number> {
    this.#tickets += 1;
    const ticket = this.#tickets;
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#leave.set(ticket, resolve);
    this.#last = promise;
    // A caller that never leaves (its isolate died) holds up the next one only.
    const patience = setTimeout(() => this.leave(ticket - 1), WAIT_MS);
    await before;
    clearTimeout(patience);
    return ticket;
  }

  /** Lets the next caller go on. */
  leave(ticket: number): void {
    this.#leave.get(ticket)?.();
    this.#leave.delete(ticket);
  }
}
