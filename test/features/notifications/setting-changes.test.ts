import { describe, expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { leaveFormer } from "../../../src/features/messaging/dispatch/end-attempt.ts";
import { type Leased, leaseRecipient } from "../../../src/features/messaging/dispatch/lease.ts";
import { toldLines } from "../../../src/features/notifications/send/told.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { CONFIGS, connect, newAddress, received } from "../messaging/provider.ts";
import { linesOf, runJob, settledLines } from "./notified.ts";

test("what a notice leaves out of a long value is an ellipsis", () => {
  const [was, becomes] = ["a".repeat(300), `${"a".repeat(290)}${"b".repeat(300)}`];
  const change = { setting: "profile", actor: "Mia", at: 0, was: { 1: { address: was } } } as const;
  expect(toldLines([{ ...change, becomes: { 1: { address: becomes } } }], "en", "UTC")).toEqual([
    expect.stringMatching(/^profile 1: address: …a{30} → …a{20}b{179}… \(Mia, /),
  ]);
});

const PROVIDERS = "/settings/:company/messaging-providers";
const ENDPOINTS = "/settings/:company/event-endpoints";
const FEEDS = "/settings/:company/calendar-feeds";
const KEYS = "/settings/:company/keys";
const FAR = Date.UTC(2099, 0, 1);
const thief = { url: "https://thief.example.com/send", from_email: "x@thief.example" };

/** What came to an address of a change, by what it was carried. */
async function carriersOf(office: string, change: string): Promise<string[]> {
  const mails = await received(office);
  return mails.filter(({ text }) => text.includes(change)).map(({ kind, from }) => `${kind} ${from}`);
}

test.each<[string, string, (company: TestCompany, path: string) => Promise<unknown>]>([
  [
    "changed",
    "config: replaced",
    async (company, path) => must(await company.call("PATCH", path, { body: { config: thief } }), 200),
  ],
  ["replaced", "kind: – → postmark", (company) => connect(company, "postmark", { is_default: true })],
  ["deleted", "kind: http → –", async (company, path) => must(await company.call("DELETE", path), 200)],
])(
  "a notice of another mail provider goes through the former one, and by the platform's mailer too, where it is %s",
  async (_how, change, act) => {
    const office = newAddress();
    const company = await openCompany({ email: office });
    const { id } = await connect(company, "http-mail");
    await settledLines(company);
    await expect.poll(() => carriersOf(office, "kind: – → http")).toHaveLength(1);
    await act(company, `${PROVIDERS}/${id}`);
    await settledLines(company);
    await expect.poll(() => carriersOf(office, change)).toHaveLength(2);
    expect((await carriersOf(office, change)).toSorted()).toEqual([
      expect.stringContaining(CONFIGS["http-mail"]().config.from_email),
      expect.stringContaining("no-reply@platform.example"),
    ]);
    // No secret of a former provider is kept any longer.
    const kept = () => company.rows("SELECT id FROM setting_changes WHERE route IS NOT NULL");
    await expect.poll(kept).toEqual([]);
  },
);

/** Changes the UPI id as a call does, far ahead, where the service's own clock finds nothing. */
async function changeUpi(company: TestCompany, upi: string): Promise<void> {
  const records = "json_object('1', json_object('upi_id', upi_id)) FROM profile";
  await company
    .database()
    .batch(
      [
        `INSERT INTO setting_changes (rule, setting, actor, at, was) SELECT 'payee_changed', 'profile', 'Mia', ${FAR}, ${records}`,
        `UPDATE profile SET upi_id = '${upi}'`,
        `UPDATE setting_changes SET becomes = (SELECT ${records}) WHERE id = (SELECT max(id) FROM setting_changes)`,
      ],
      "write",
    );
}

const contentsOf = async (company: TestCompany) =>
  (await company.rows("SELECT content FROM messages ORDER BY id")).map(({ content }) => String(content));

describe("changes before a notice is sent", () => {
  test("join in one mail that names both, and a third after it has a mail of its own", async () => {
    const company = await openCompany({ email: newAddress() });
    await changeUpi(company, "one@bank");
    await changeUpi(company, "two@bank");
    await runJob(company, { now: FAR });
    const [first = ""] = await contentsOf(company);
    expect(first).toContain("upi id: – → one@bank");
    expect(first).toContain("upi id: one@bank → two@bank");
    await changeUpi(company, "three@bank");
    await runJob(company, { now: FAR + 1 });
    const [, second = "", ...more] = await contentsOf(company);
    expect(second).toContain("upi id: two@bank → three@bank");
    expect(second).not.toContain("one@bank");
    expect(more).toEqual([]);
  });

  test("are in no mail that was composed before, and in the next one: none is lost", async () => {
    const company = await openCompany({ email: newAddress() });
    await changeUpi(company, "one@bank");
    let isFirst = true;
    const meanwhile = async () => {
      if (isFirst) await changeUpi(company, "two@bank");
      isFirst = false;
    };
    await runJob(company, { now: FAR, meanwhile });
    const mails = await contentsOf(company);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("– → one@bank");
    expect(mails[0]).toContain("one@bank → two@bank");
    expect(await linesOf(company, "rule=payee_changed")).toEqual(["payee_changed email company sent"]);
  });
});

test("a change whose notice comes too late to be sent is kept no longer than its notice is due", async () => {
  const company = await openCompany({ email: newAddress() });
  await changeUpi(company, "one@bank");
  const kept = () => company.rows("SELECT rule FROM setting_changes WHERE rule = 'payee_changed'");
  expect(await kept()).toHaveLength(1);
  await runJob(company, { now: FAR + 30 * DAY_MS });
  expect(await linesOf(company, "rule=payee_changed")).toEqual(["payee_changed email company skipped late"]);
  expect(await kept()).toEqual([]);
});

test("what the former provider refuses goes through the one that is active now", async () => {
  const company = await openCompany({ email: newAddress() });
  const { id } = await connect(company, "http-mail");
  await changeUpi(company, "one@bank");
  must(await company.call("DELETE", `${PROVIDERS}/${id}`), 200);
  await connect(company, "postmark");
  // The service's own clock sends the notices of the providers, and a job that another one precedes leaves the rest to it.
  const due = () => company.rows(`SELECT id FROM notifications WHERE state = 'due' AND due_at < ${FAR}`);
  await expect.poll(due).toEqual([]);
  await runJob(company, { now: FAR });
  const [row] = await company.rows(`
    SELECT message_recipients.id FROM message_recipients JOIN messages ON messages.id = message_id
      WHERE rule = 'payee_changed' AND provider = 'http'`);
  const leases: Leased[] = [];
  const job = async (given: Ctx) => {
    for (const now of [FAR, FAR + 1]) {
      const ctx = { ...given, now, call: { ...given.call, id: `run ${now}` } };
      const lease = await leaseRecipient(ctx, Number(row?.id));
      if (typeof lease === "string") throw new Error(lease);
      leases.push(lease);
      await leaveFormer(ctx, lease);
    }
  };
  await runJob(company, { now: FAR, job });
  expect(leases).toMatchObject([
    { kind: "http", provider: { operation: expect.any(String), sealed_config: expect.any(String) } },
    { kind: "postmark", provider: { sealed_token: expect.any(String), paused_at: null } },
  ]);
  expect(leases[0]?.provider).not.toHaveProperty("sealed_token");
});

type Made = { id?: string; client_id?: string };
type Case = [string, string, string, object, ...[string, string, object | undefined, string][]];

test.each<Case>([
  [
    "an event endpoint",
    ENDPOINTS,
    "url: – → https://one.example.com/e",
    { url: "https://one.example.com/e", types: ["*"] },
    [
      "PATCH",
      "",
      { url: "https://two.example.com/e" },
      "url: https://one.example.com/e → https://two.example.com/e",
    ],
    ["POST", "/rotate", { overlap_seconds: 0 }, "secret: replaced"],
    ["DELETE", "", undefined, "url: https://two.example.com/e → –"],
  ],
  [
    "a calendar feed",
    FEEDS,
    "detail: – → busy",
    { name: "Priya", detail: "busy" },
    ["POST", "/rotate", undefined, "token: replaced"],
    ["DELETE", "", undefined, "name: Priya → –"],
  ],
  [
    "a key",
    KEYS,
    "scopes: – → customers:read",
    { name: "Till", type: "secret", scopes: ["customers:read"] },
    [
      "PATCH",
      "",
      { scopes: ["customers:read", "customers:write"] },
      "scopes: customers:read → customers:read, customers:write",
    ],
    ["POST", "/rotate", { overlap_seconds: 0 }, "secret: replaced"],
    ["DELETE", "", undefined, "revoked at: – → "],
  ],
])(
  "the company gets a notice, with the old value and the new one, of %s",
  async (_what, path, told, body, ...changes) => {
    const office = newAddress();
    const company = await openCompany({ email: office });
    const { data, ...answer } = must(await company.call<Made>("POST", path, { body }), 201).body;
    const one = `${path}/${data.id ?? data.client_id}`;
    const shown = [JSON.stringify({ data, ...answer })];
    for (const [method, under, sent] of changes) {
      const changed = await company.call(method, `${one}${under}`, sent === undefined ? {} : { body: sent });
      expect(changed.status, changed.text).toBeLessThan(300);
      shown.push(changed.text);
    }
    const lines = [told, ...changes.map(([, , , line]) => line)];
    const texts = async () => (await received(office)).map(({ text }) => text).join("\n");
    for (const line of lines) await expect.poll(texts).toContain(line);
    const secrets = shown.flatMap(
      (text) => text.match(/(?<="(?:client_secret|secret|url)":")[^"]*[\w+/=-]{24,}/g) ?? [],
    );
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(await texts()).not.toContain(secret);
  },
);
