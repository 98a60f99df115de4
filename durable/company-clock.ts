import { DurableObject } from "cloudflare:workers";

/** The job that an alarm queues: to look what is due for a company. `counter` goes back to `settle`. */
export type DueJob = { kind: "due"; company: string; counter: number };

type Environment = { CLOCK: Queue<DueJob> };
/** `lookedAt` is when the last look was queued. */
type State = { company: string; counter: number; armedUntil: number; lookedAt: number };

const AGAIN_MS = 60_000;

/**
 * One object per company that has something due, with one alarm at the earliest of it; a company without has none. All
 * times are real epoch ms. What is due stands in the company's database alone: an alarm only makes somebody look.
 */
export class CompanyClock extends DurableObject<Environment> {
  /**
   * Looks at `at`, or sooner where an earlier look is set. No look that begins before `armedUntil` is the last one: what
   * this call is for may not be committed yet.
   */
  async wake(company: string, at: number, armedUntil = 0): Promise<void> {
    const known = await this.#state();
    await this.ctx.storage.put<State>("state", {
      company,
      counter: (known?.counter ?? 0) + 1,
      armedUntil: Math.max(known?.armedUntil ?? 0, armedUntil),
      lookedAt: known?.lookedAt ?? 0,
    });
    await this.#lower(at);
  }

  /** What a look found: the time of the next one, or null for none. After a `wake` meanwhile it brings it forward only. */
  async settle(next: number | null, counter: number): Promise<void> {
    const state = await this.#state();
    if (state?.counter !== counter) {
      if (next !== null) await this.#lower(next);
      return;
    }
    const armed = state.armedUntil > state.lookedAt ? state.armedUntil : null;
    const at = armed === null || (next !== null && next < armed) ? next : armed;
    if (at === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(at);
  }

  /** Queues a look, and comes again in a minute unless its answer says otherwise. Never throws: the runtime drops an alarm after six failed tries. */
  override async alarm(): Promise<void> {
    const state = await this.#state();
    if (state === undefined) return;
    const now = Date.now();
    await this.ctx.storage.put<State>("state", { ...state, lookedAt: now });
    await this.ctx.storage.setAlarm(now + AGAIN_MS);
    try {
      await this.env.CLOCK.send({ kind: "due", company: state.company, counter: state.counter });
    } catch (error) {
      console.error(JSON.stringify({ fault: "company_clock", company: state.company, error: String(error) }));
    }
  }

  #state(): Promise<State | undefined> {
    return this.ctx.storage.get<State>("state");
  }

  async #lower(at: number): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    if (set === null || at < set) await this.ctx.storage.setAlarm(at);
  }
}
