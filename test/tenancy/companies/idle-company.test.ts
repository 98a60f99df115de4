import { randomUUID } from "node:crypto";
import { expect, inject, test, vi } from "vitest";
import { directoryOf } from "#api/environment.ts";
import { CONTROL_MIGRATIONS } from "#migrations";
import { findKey } from "#tenancy/directory.ts";
import { recordUse } from "#tenancy/keys/last-used.ts";
import { filesOf } from "#tenancy/migrations/missing-and-changed.ts";
import type { Env } from "../../../src/env.ts";
import { type AnyJob, runJob, scheduleJobs } from "../../../src/wiring/jobs.ts";
import "../../simulator/messaging/worker-runtime.ts";
import "../../support/declarations.ts";
import { accepted, connect, sendSms } from "../../features/messaging/provider.ts";
import { environmentBefore } from "../../simulator/messaging/environment.ts";
import { clientOf, controlRows, openCompany } from "../../support/company.ts";
import { createNamespace } from "../../support/service.ts";
import { insert, type Row } from "./recovery.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEP = 30 * MINUTE;

let now = Date.now();
let filesAnswer = true;
const sent: AnyJob[] = [];

// The company's own database, and a control database in which a day passes without any other company.
const company = await openCompany();
const service = inject("service");
const name = `control-${randomUUID()}`;
await createNamespace({ adminUrl: service.libsqlAdminUrl }, name);
const control = clientOf(name);
for (const { sql } of filesOf(CONTROL_MIGRATIONS)) await control.executeMultiple(sql);
for (const [table, where] of [
  ["companies", "slug = ?"],
  ["api_keys", "company_id = (SELECT id FROM companies WHERE slug = ?)"],
] as const)
  for (const row of await controlRows(`SELECT * FROM ${table} WHERE ${where}`, company.slug))
    await insert(name, table, row as Row);
const env = {
  ...environmentBefore(service, undefined, (messages) => {
    for (const { body } of messages) sent.push(body);
  }),
  FILES: { list: listFiles } as unknown as Env["FILES"],
  COMPANY_CLOCK: {
    getByName: () => ({ settle: async () => undefined, wake: async () => undefined }),
  } as unknown as Env["COMPANY_CLOCK"],
  CONTROL_DATABASE_URL: `${service.libsqlUrl}/dev/${name}/`,
};

/** Lets time pass with its cron, and does what is queued; gives how many messages that was. */
async function pass(milliseconds: number): Promise<number> {
  const before = sent.length;
  for (const until = now + milliseconds; now < until; ) {
    now += STEP;
    const first = sent.length;
    await scheduleJobs(env, now);
    for (const body of sent.slice(first)) await done(body);
  }
  return sent.length - before;
}

async function done(body: AnyJob): Promise<void> {
  const message = { body, attempts: 1, ack: () => undefined, retry: () => undefined };
  await runJob(
    env,
    message as unknown as Message<AnyJob>,
    () => now,
    () => undefined,
  );
}

async function listFiles() {
  if (!filesAnswer) throw new Error("The bucket does not answer");
  return { objects: [], truncated: false };
}

async function useKey(): Promise<void> {
  const key = await findKey(directoryOf(env), company.admin.client_id, now);
  if (key === null) throw new Error("The company has a key");
  await recordUse(directoryOf(env), key, now);
}

async function untilNext(): Promise<number> {
  const { rows } = await control.execute("SELECT next_sweep_at AS at FROM companies");
  return Number(rows[0]?.at) - now;
}

const unchained = async () => {
  const sql = `SELECT count(*) AS n FROM audit_log WHERE id > (SELECT max(last_id) FROM audit_links)`;
  return Number((await company.rows(sql))[0]?.n);
};

const write = () =>
  company.rows(
    `INSERT INTO audit_log (at, actor, action, record, request_id)
      VALUES (?, 'test', 'updateCompany', '1', ?)`,
    now,
    randomUUID(),
  );

test("a company that does nothing costs one message of the queue a day", async () => {
  // Until two hours after it was opened it has its jobs each hour.
  expect(await pass(DAY)).toBe(2);
  expect(await pass(2 * DAY)).toBe(2);
});

test.each<[sign: string, give: () => Promise<unknown>]>([
  [
    "a look has chained a write",
    () => write().then(() => done({ kind: "due", company: company.slug, counter: 0 })),
  ],
  ["a key is used", useKey],
  ["a key changes", () => control.execute({ sql: "UPDATE api_keys SET updated_at = ?", args: [now] })],
  ["the company changes", () => control.execute({ sql: "UPDATE companies SET updated_at = ?", args: [now] })],
])("its jobs come within an hour once %s, and each hour until it has been quiet for two", async (_, give) => {
  expect(await untilNext()).toBeGreaterThan(HOUR);
  await give();
  expect(await untilNext()).toBe(HOUR);
  expect(await pass(HOUR)).toBe(1);
  expect(await untilNext()).toBe(HOUR);
  expect(await pass(HOUR)).toBe(1);
  expect(await untilNext()).toBe(DAY);
});

test("what a call wrote whose clock failed is found within an hour", async () => {
  await Promise.all([useKey(), write()]);
  expect(await pass(HOUR)).toBe(1);
  expect(await unchained()).toBe(0);
  // Within an hour after the first use no other is recorded.
  await write();
  expect(await pass(HOUR)).toBe(1);
  expect(await unchained()).toBe(0);
});

test("a company has its jobs each hour while one of them fails", async () => {
  expect(await pass(2 * HOUR)).toBe(2);
  expect(await untilNext()).toBe(DAY);
  filesAnswer = false;
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(await pass(DAY)).toBe(1);
  expect(await pass(3 * HOUR)).toBe(3);
  expect(log).toHaveBeenCalledTimes(4);
  log.mockRestore();
  filesAnswer = true;
  expect(await pass(DAY)).toBe(1);
});

test("a company has its jobs each hour while something will be due", async () => {
  await connect(company, "http-sms");
  accepted(await sendSms(company, { send_at: new Date(Date.now() + HOUR).toISOString() }));
  await company.rows("UPDATE messages SET send_at = ?", now + 10 * DAY);
  await control.execute({ sql: "UPDATE companies SET updated_at = ?", args: [now] });
  const first = sent.length;
  await pass(6 * HOUR);
  // The others send the message.
  expect(sent.slice(first).filter(({ kind }) => kind === "housekeep")).toHaveLength(6);
});
