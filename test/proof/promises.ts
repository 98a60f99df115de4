import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { expectSound } from "../support/oracles.ts";
import type { Service } from "../support/service.ts";
import type { Ended, Kind, Load } from "./load.ts";

/** What is promised, how often it was looked at, and what broke it. */
export class Promises {
  readonly #rows = new Map<string, { cases: number; broken: string[] }>();

  /** Enters one look at a promise: so many cases, and those that broke it. */
  enter(promise: string, cases: number, broken: readonly string[]): void {
    const row = this.#rows.get(promise) ?? { cases: 0, broken: [] };
    this.#rows.set(promise, { cases: row.cases + cases, broken: [...row.broken, ...broken] });
  }

  /** A line for each promise: its cases and its violations. */
  table(): string {
    const width = Math.max(...[...this.#rows.keys()].map((promise) => promise.length));
    const lines = [...this.#rows].map(
      ([promise, { cases, broken }]) =>
        `${promise.padEnd(width)}  ${String(cases).padStart(7)}  ${broken.length}`,
    );
    return [`${"promise".padEnd(width)}    cases  violations`, ...lines].join("\n");
  }

  expectKept(): void {
    const violations = [...this.#rows].flatMap(([promise, { broken }]) =>
      broken.map((what) => `${promise}: ${what}`),
    );
    expect(violations).toEqual([]);
  }
}

/** Longer than an account that fails is left alone: if none of those that wait ends by then, they never do. */
const STALLED_MS = 400_000;
const SAMPLE = 50;
const RECORDS: Record<Exclude<Kind, "sms">, string> = {
  invoice: "SELECT reference_number AS reference FROM invoices WHERE reference_number IS NOT NULL",
  payment: "SELECT reference_number AS reference FROM payments",
  booking: "SELECT c.name AS reference FROM bookings b JOIN customers c ON c.id = b.customer_id",
};

/** Judges a company after its faults: each promise by the answers to its clients and by what its database holds. */
export async function judge(load: Load, service: Service, promises: Promises): Promise<void> {
  promises.enter("no client gets an undocumented answer", load.ended.size, load.strange);
  for (const kind of ["invoice", "payment", "booking"] as const) await judgeRecords(load, kind, promises);
  await judgeMessages(load, service, promises);
  await judgeReplays(load, promises);
  const unsound = await expectSound(load.company).then(
    () => [],
    (error: Error) => [error.message],
  );
  promises.enter("every rule of the books and the calendar holds, numbers without a gap", 1, unsound);
}

function acknowledged(load: Load, kind: Kind): string[] {
  return [...load.ended].flatMap(([reference, ended]) =>
    ended.kind === kind && ended.status < 300 ? [reference] : [],
  );
}

async function judgeRecords(load: Load, kind: Exclude<Kind, "sms">, promises: Promises): Promise<void> {
  const { rows } = await load.company.database().execute(RECORDS[kind]);
  const told = acknowledged(load, kind);
  const counted = countOf(rows.map(({ reference }) => String(reference)));
  const broken = told.filter((reference) => counted.get(reference) !== 1);
  promises.enter("what was acknowledged is there, once", told.length, broken);
  const known = new Set(told);
  const extra = [...counted.keys()].filter((reference) => !known.has(reference));
  promises.enter("what was refused is not there", load.ended.size - told.length, extra);
}

async function judgeMessages(load: Load, service: Service, promises: Promises): Promise<void> {
  const database = load.company.database();
  const left = async () => {
    const { rows } = await database.execute(
      `SELECT (SELECT count(*) FROM message_recipients WHERE dispatch_state NOT IN ('dispatched', 'dead'))
        + (SELECT count(*) FROM notifications WHERE state = 'due' AND due_at <= unixepoch() * 1000) AS n`,
    );
    return Number(rows[0]?.n);
  };
  // The hourly jobs take up what a crash left behind.
  const swept = async () => {
    await load.company.startSweep();
    return left();
  };
  for (let [least, since] = [await swept(), Date.now()]; least > 0; await sleep(2_000)) {
    const now = await swept();
    if (now < least) [least, since] = [now, Date.now()];
    expect(Date.now() - since, `${now} messages are stuck`).toBeLessThan(STALLED_MS);
  }
  const { rows } = await database.execute(
    "SELECT json_extract(m.content, '$.text') AS reference, r.dispatch_state AS state, r.attempts FROM messages m JOIN message_recipients r ON r.message_id = m.id WHERE m.rule IS NULL",
  );
  const answer = await fetch(`${service.messagesUrl}/messages`);
  const { data } = (await answer.json()) as { data: { text: string }[] };
  const taken = countOf(data.map(({ text }) => text));
  const states = new Map(rows.map((row) => [String(row.reference), row]));
  const told = acknowledged(load, "sms");
  promises.enter(
    "a message that was accepted is stored, once",
    told.length,
    told.filter((reference) => !states.has(reference)).concat(rows.length === told.length ? [] : ["extra"]),
  );
  const due = await database.execute(
    `SELECT n.sequence, n.state, (SELECT count(*) FROM messages m WHERE m.id = n.message_id AND m.rule = n.rule) AS messages
      FROM notifications n WHERE n.due_at <= unixepoch() * 1000`,
  );
  promises.enter(
    "each notification that is due has one message, or says why it has none",
    due.rows.length,
    due.rows
      .filter(({ state, messages }) => state === "due" || messages !== Number(state === "sent"))
      .map(({ sequence }) => String(sequence)),
  );
  promises.enter(
    "a provider takes a message at most once",
    told.length,
    told.filter((reference) => (taken.get(reference) ?? 0) > 1),
  );
  promises.enter(
    "a message that was handed over has reached its provider",
    told.length,
    told.filter((reference) => states.get(reference)?.state === "dispatched" && !taken.has(reference)),
  );
  promises.enter(
    "a message is given up only after its provider was asked",
    told.length,
    told.filter(
      (reference) => states.get(reference)?.state === "dead" && states.get(reference)?.attempts === 0,
    ),
  );
}

async function judgeReplays(load: Load, promises: Promises): Promise<void> {
  const every = Math.max(1, Math.floor(load.ended.size / SAMPLE));
  const sample = [...load.ended].filter((_, index) => index % every === 0);
  const broken = await Promise.all(
    sample.map(async ([reference, ended]) => ((await isReplayed(ended)) ? [] : [reference])),
  );
  promises.enter("a retry with its key gets the first answer", sample.length, broken.flat());
}

async function isReplayed({ status, text, call }: Ended): Promise<boolean> {
  const again = await call();
  // A refusal is judged anew once its minute is over, and names its own request.
  return again.status === status && (status >= 400 || again.text === text);
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
