import { DurableObject } from "cloudflare:workers";

/** `run`: do it. `finished`: an equal call has just succeeded, read its answer. `busy`: it is still running. */
export type GateAnswer = "run" | "finished" | "busy";

const WAIT_MS = 5_000;
// A call that never leaves (its isolate died) must not block its key for longer than its own time-out.
const RUN_MS = 15_000;

/**
 * One object per Idempotency-Key in flight: the first caller runs, the others wait for it. Memory only: it keeps the
 * waiting calls from the database, while the operations table alone decides.
 */
export class IdempotencyGate extends DurableObject {
  #running:
    | { caller: string; until: number; ended: Promise<boolean>; end: (done: boolean) => void }
    | undefined;

  async enter(caller: string): Promise<GateAnswer> {
    const deadline = Date.now() + WAIT_MS;
    while (this.#running !== undefined && Date.now() < this.#running.until) {
      const done = await Promise.race([this.#running.ended, pause(Math.max(0, deadline - Date.now()))]);
      if (done === "timeout") return "busy";
      if (done) return "finished";
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#running = { caller, until: Date.now() + RUN_MS, ended: promise, end: resolve };
    return "run";
  }

  /** Ends the run that `enter` granted this caller, unless another has it by now; `done` when its effect is committed. */
  leave(caller: string, done: boolean): void {
    if (this.#running?.caller !== caller) return;
    this.#running.end(done);
    this.#running = undefined;
  }
}

function pause(ms: number): Promise<"timeout"> {
  return new Promise((resolve) => setTimeout(() => resolve("timeout"), ms));
}
