import { DurableObject } from "cloudflare:workers";

/**
 * One send that asks for capacity: `cost` messages, at `now` (epoch ms) on the company's `day`, under these limits.
 * `spent` is the day's count by the company's own records, if the caller looked.
 */
export type QuotaRequest = {
  cost: number;
  now: number;
  day: string;
  rate: number;
  cap: number;
  spent: number | null;
};

/**
 * The answer: what is left of the minute and of the day. `resetMs` is until the oldest counted send leaves the minute,
 * or until a send that the minute refused would have capacity.
 */
export type QuotaAnswer = {
  refused: "rate" | "cap" | null;
  remaining: number;
  resetMs: number;
  capRemaining: number;
};

const WINDOW_MS = 60_000;
const DAYS_KEPT = 3;

/**
 * One object per API key: at most `rate` sends in any 60 seconds, by a log of each, and at most `cap` messages a day.
 * Both are checked at once and survive evictions; a refused send counts in neither. An object that is lost and
 * starts empty continues from the company's own count of the day.
 */
export class MessagingQuota extends DurableObject {
  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS sends (at INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS sends_at ON sends (at);
      CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY, used INTEGER NOT NULL);
    `);
  }

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  /** Takes capacity, or says why not; null if nothing was ever counted here and the caller must give `spent`. */
  reserve({ cost, now, day, rate, cap, spent }: QuotaRequest): QuotaAnswer | null {
    if (this.#number("SELECT count(*) FROM days") === 0) {
      if (spent === null) return null;
      this.#sql.exec("INSERT INTO days (day, used) VALUES (?, ?)", day, spent);
    }
    // Entries later than now come from a clock that was set back.
    this.#sql.exec("DELETE FROM sends WHERE at <= ? OR at > ?", now - WINDOW_MS, now + WINDOW_MS);
    const used = this.#number("SELECT used FROM days WHERE day = ?", day) ?? 0;
    // The send that must leave the window before there is capacity for another.
    const blocking = this.#number("SELECT at FROM sends ORDER BY at DESC LIMIT 1 OFFSET ?", rate - 1);
    const refused = used + cost > cap ? "cap" : blocking === undefined ? null : "rate";
    if (refused !== null) {
      const left = this.#left(now, rate, cap - used);
      return {
        ...left,
        refused,
        resetMs: blocking === undefined ? left.resetMs : untilGone(blocking, now),
      };
    }
    this.#sql.exec("INSERT INTO sends (at) VALUES (?)", now);
    this.#sql.exec(
      "INSERT INTO days (day, used) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET used = used + excluded.used",
      day,
      cost,
    );
    this.#sql.exec(
      "DELETE FROM days WHERE day NOT IN (SELECT day FROM days ORDER BY day DESC LIMIT ?)",
      DAYS_KEPT,
    );
    return { ...this.#left(now, rate, cap - used - cost), refused: null };
  }

  #left(now: number, rate: number, capRemaining: number) {
    const count = this.#number("SELECT count(*) FROM sends") ?? 0;
    const oldest = this.#number("SELECT min(at) FROM sends");
    return {
      remaining: Math.max(0, rate - count),
      resetMs: oldest === undefined ? 0 : untilGone(oldest, now),
      capRemaining: Math.max(0, capRemaining),
    };
  }

  /** Takes back what `reserve` counted, for a send of which nothing was stored. */
  giveBack({ cost, now, day }: QuotaRequest): void {
    this.#sql.exec("DELETE FROM sends WHERE rowid = (SELECT rowid FROM sends WHERE at = ? LIMIT 1)", now);
    this.#sql.exec("UPDATE days SET used = max(0, used - ?) WHERE day = ?", cost, day);
  }

  #number(query: string, ...bindings: unknown[]): number | undefined {
    const [row] = this.#sql.exec(query, ...bindings).raw();
    const [value] = row ?? [];
    return typeof value === "number" ? value : undefined;
  }
}

/** How long until a send leaves the minute: calls may come out of order, but none waits longer than the window. */
function untilGone(at: number, now: number): number {
  return Math.min(WINDOW_MS, at + WINDOW_MS - now);
}
