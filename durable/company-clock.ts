import { DurableObject } from "cloudflare:workers";

/** The job that an alarm queues, to look for due work of a company. It passes `counter` back to `settle`. */
export type DueJob = { kind: "due"; company: string; counter: number };

type Environment = { CLOCK: Queue<DueJob> };
/** `lookedAt` is when the last look was queued. */
type State = { company: string; counter: number; scheduledUntil: number; lookedAt: number };

/**
 * How an upgrade of a company's database ended: `held` is one that the rollout leaves out, `failed` one whose migrations
 * do not fit, and `unavailable` is worth another try. `applied` names the migrations, `schemaNumber` is that of the release
 * which ran it.
 */
export type Upgrade = {
  end: "done" | "held" | "failed" | "unavailable";
  applied: string[];
  schemaNumber: number;
  error?: string;
};
type RunUpgrade = (env: unknown, company: string) => Promise<Upgrade>;

const AGAIN_MS = 60_000;
/** How soon an upgrade that ended so is tried again. */
const PAUSES_MS: Record<Upgrade["end"], number> = {
  done: 0,
  held: 5_000,
  failed: 60_000,
  unavailable: 1_000,
};
let runUpgrade: RunUpgrade | undefined;

/** Declares what upgrades a company, for the clocks only see to it that each is upgraded once at a time. */
export function declareUpgrade(run: RunUpgrade): void {
  runUpgrade = run;
}

/**
 * One object per company that has something due, with one alarm at the earliest of it; a company without has none. All
 * times are real epoch ms. What is due stands in the company's database alone: an alarm only queues a look.
 */
export class CompanyClock extends DurableObject<Environment> {
  #upgrading: Promise<Upgrade> | undefined;
  #upgraded: { upgrade: Upgrade; until: number } | undefined;

  /**
   * Brings the company's database up to date. Calls that come meanwhile wait for the same end, and those that come soon
   * after one that failed get that end too, unless the operator asks.
   */
  async upgrade(company: string, isOperator = false): Promise<Upgrade> {
    if (!isOperator && this.#upgraded !== undefined && Date.now() < this.#upgraded.until)
      return this.#upgraded.upgrade;
    this.#upgrading ??= this.#upgrade(company).finally(() => {
      this.#upgrading = undefined;
    });
    return this.#upgrading;
  }

  async #upgrade(company: string): Promise<Upgrade> {
    if (runUpgrade === undefined) throw new Error("Nothing is declared that upgrades a company");
    const upgrade = await runUpgrade(this.env, company);
    this.#upgraded = { upgrade, until: Date.now() + PAUSES_MS[upgrade.end] };
    return upgrade;
  }

  /**
   * Looks at `at`, or sooner if an earlier look is set. No look that begins before `scheduledUntil` is the last one: the
   * work that this call is for may not be committed yet.
   */
  async wake(company: string, at: number, scheduledUntil = 0): Promise<void> {
    const known = await this.#state();
    await this.ctx.storage.put<State>("state", {
      company,
      counter: (known?.counter ?? 0) + 1,
      scheduledUntil: Math.max(known?.scheduledUntil ?? 0, scheduledUntil),
      lookedAt: known?.lookedAt ?? 0,
    });
    await this.#lower(at);
  }

  /** Sets the time of the next look; null: none. After a `wake` since the look began it only brings it forward. */
  async settle(next: number | null, counter: number): Promise<void> {
    const state = await this.#state();
    if (state?.counter !== counter) {
      if (next !== null) await this.#lower(next);
      return;
    }
    const scheduled = state.scheduledUntil > state.lookedAt ? state.scheduledUntil : null;
    const at = scheduled === null || (next !== null && next < scheduled) ? next : scheduled;
    if (at === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(at);
  }

  /**
   * Queues a look, and repeats in a minute unless the answer says otherwise. Never throws: the runtime drops an alarm
   * after six failed tries.
   */
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
