import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { expectSound } from "../support/oracles.ts";
import type { Service } from "../support/service.ts";
import type { World } from "./world.ts";

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
    const lines = [...this.#rows].map(
      ([promise, { cases, broken }]) => `${String(cases).padStart(7)}  ${broken.length}  ${promise}`,
    );
    return ["  cases  violations", ...lines].join("\n");
  }

  expectKept(): void {
    const broken = [...this.#rows].flatMap(([promise, row]) =>
      row.broken.map((what) => `${promise}: ${what}`),
    );
    expect(broken).toEqual([]);
  }
}

/** Longer than an account that fails is left alone: if none of those that wait ends by then, they never do. */
const STALLED_MS = 400_000;
const SAMPLE = 50;
/** The rows that calls make, of tables that something else fills too. */
const OF_CALLS: Record<string, string> = {
  // Who books or shops leaves an address.
  customers: "email IS NULL",
  invoices: "source = 'api'",
  messages: "rule IS NULL",
  payments: "gateway IS NULL",
  products: "track_stock = 1",
};
const LEFT = `SELECT (SELECT count(*) FROM message_recipients WHERE dispatch_state NOT IN ('dispatched', 'dead'))
  + (SELECT count(*) FROM notifications WHERE state = 'due' AND due_at <= unixepoch() * 1000) AS n`;
const MESSAGES = `SELECT m.id, json_extract(m.content, '$.text') AS text, r.dispatch_state AS state, r.attempts
  FROM messages m JOIN message_recipients r ON r.message_id = m.id WHERE m.rule IS NULL`;
const DUE = `SELECT n.sequence, n.state, (SELECT count(*) FROM messages m WHERE m.id = n.message_id AND m.rule = n.rule) AS messages
  FROM notifications n WHERE n.due_at <= unixepoch() * 1000`;

/** Checks that what the answers say was made is there, once, and nothing else. */
export async function expectOnce(world: World): Promise<void> {
  const promises = new Promises();
  await judgeRecords(world, promises);
  promises.expectKept();
}

/** Judges a company after its faults: each promise by the answers to its clients and by what its database holds. */
export async function judge(world: World, service: Service, promises: Promises): Promise<void> {
  promises.enter("no client gets an undocumented answer", world.ended.length, world.strange);
  await judgeRecords(world, promises);
  await judgeMessages(world, service, promises);
  await judgeReplays(world, promises);
  const unsound = await expectSound(world.company).then(
    () => [],
    (error: Error) => [error.message],
  );
  promises.enter("every rule of the books and the calendar holds, numbers without a gap", 1, unsound);
  promises.expectKept();
}

async function judgeRecords(world: World, promises: Promises): Promise<void> {
  for (const [table, made] of Object.entries(world.made)) {
    const rows = await world.rows(`SELECT id FROM ${table} WHERE ${OF_CALLS[table] ?? "1"}`);
    const stored = new Set(rows.map(({ id }) => String(id)));
    const told = new Set(made);
    const lost = made.filter((id, index) => !stored.has(id) || made.indexOf(id) !== index);
    promises.enter("what was acknowledged is there, once", made.length, named(table, lost));
    const extra = [...stored].filter((id) => !told.has(id));
    promises.enter("what was refused is not there", stored.size, named(table, extra));
  }
}

async function judgeMessages(world: World, service: Service, promises: Promises): Promise<void> {
  // The hourly jobs take up what a crash left behind.
  const swept = async () => {
    await world.company.startSweep();
    return Number((await world.rows(LEFT))[0]?.n);
  };
  for (let [least, since] = [await swept(), Date.now()]; least > 0; await sleep(2_000)) {
    const now = await swept();
    if (now < least) [least, since] = [now, Date.now()];
    expect(Date.now() - since, `${now} messages are stuck`).toBeLessThan(STALLED_MS);
  }
  const answer = await fetch(`${service.messagesUrl}/messages`);
  const { data } = (await answer.json()) as { data: { text: string }[] };
  const rows = await world.rows(MESSAGES);
  const enter = (promise: string, isBroken: (row: (typeof rows)[number], taken: number) => boolean) => {
    const broken = rows.filter((row) => isBroken(row, data.filter(({ text }) => text === row.text).length));
    promises.enter(
      promise,
      rows.length,
      named(
        "messages",
        broken.map(({ id }) => String(id)),
      ),
    );
  };
  enter("a provider takes a message at most once", (_, taken) => taken > 1);
  enter(
    "a message that was handed over has reached its provider",
    ({ state }, taken) => state === "dispatched" && taken === 0,
  );
  enter(
    "a message is given up only after its provider was asked",
    ({ state, attempts }) => state === "dead" && attempts === 0,
  );
  const due = await world.rows(DUE);
  const wrong = due.filter(({ state, messages }) => state === "due" || messages !== Number(state === "sent"));
  const promise = "each notification that is due has one message, or says why it has none";
  promises.enter(
    promise,
    due.length,
    wrong.map(({ sequence }) => String(sequence)),
  );
}

async function judgeReplays({ ended }: World, promises: Promises): Promise<void> {
  const accepted = ended.filter(({ answer }) => answer.status < 300);
  const every = Math.ceil(accepted.length / SAMPLE);
  const sample = accepted.filter((_, index) => index % every === 0);
  const broken = await Promise.all(
    sample.map(async ({ path, answer, call }) => {
      const again = await call();
      return again.status === answer.status && again.text === answer.text ? [] : [path];
    }),
  );
  promises.enter("a retry with its key gets the first answer", sample.length, broken.flat());
}

function named(table: string, ids: readonly string[]): string[] {
  return ids.map((id) => `${table} ${id}`);
}
