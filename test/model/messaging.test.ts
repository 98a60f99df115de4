import { expect, inject, test } from "vitest";
import { Problem } from "#shared/problem.ts";
import type { Env } from "../../src/env.ts";
import { buryRecipient } from "../../src/features/messaging/dispatch/bury-recipient.ts";
import { dispatchRecipient } from "../../src/features/messaging/dispatch/dispatch-recipient.ts";
import type { AcceptedRow } from "../../src/features/messaging/send/accepted.ts";
import { sendEmail } from "../../src/features/messaging/send/send-email.ts";
import { sendSms } from "../../src/features/messaging/send/send-sms.ts";
import { seededRandom } from "../../src/sandbox/seeded-random.ts";
import { clientOf, must, openCompany, type TestCompany } from "../support/company.ts";
import { MessagingWorld } from "./messaging-world.ts";

// 60 messages in `npm test`, 2,000 in `npm run soak`.
const MESSAGES = Number(process.env.MODEL_RUNS ?? 60);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const FAULTS = 0.1;
const AT_ONCE = 10;

type Mailer = NonNullable<Env["EMAIL"]>;

const PROVIDERS = [
  { channel: "sms", kind: "exotel", config: { account_sid: "asha", api_key: "key", api_token: "token" } },
  { channel: "email", kind: "resend", config: { api_key: "re_test", from_email: "hello@asha.example" } },
];
// Each mark of a recipient as done with leaves a row.
const MARKS = [
  "CREATE TABLE marks (recipient INTEGER NOT NULL, state TEXT NOT NULL) STRICT",
  `CREATE TRIGGER marked AFTER UPDATE OF dispatch_state ON message_recipients WHEN NEW.dispatch_state IN ('dispatched', 'dead')
    BEGIN INSERT INTO marks VALUES (NEW.id, NEW.dispatch_state); END`,
];

test(`whatever dies on the way, each accepted message ends once, and as it was (seed ${SEED})`, {
  timeout: 60_000 + MESSAGES * 400,
}, async () => {
  const company = await withProviders();
  using world = await worldOf(company, { faults: FAULTS });
  const ids = await acceptAll(world);
  await world.settle(() => open(company));

  const rows = await recipients(company);
  const stored = new Set(rows.map((row) => row.message_id));
  expect(ids.filter((id) => !stored.has(id))).toEqual([]);
  for (const row of rows) {
    const { message_id, channel, status, dispatch_state, reason, provider_message_id, marks } = row;
    expect({ message_id, marks }).toEqual({ message_id, marks: 1 });
    const sent = world.sent.get(channel === "sms" ? String(message_id) : `${message_id}:${row.ordinal}`);
    const taken = sent?.taken ?? 0;
    if (dispatch_state === "dispatched") {
      expect(status).toBe(channel === "sms" ? "submitted" : "sent");
      expect(provider_message_id).toBe(sent?.id);
      expect(taken).toBeGreaterThanOrEqual(1);
    } else {
      expect(status).toBe("failed");
      expect(["unknown", "dispatch_exhausted", "expired"]).toContain(reason);
      // Only an unknown outcome may stand for an SMS that was sent.
      if (channel === "sms" && reason !== "unknown") expect(taken).toBe(0);
    }
    // A provider that does not deduplicate was never given an SMS twice.
    if (channel === "sms") expect(taken).toBeLessThanOrEqual(1);
  }
  const all = [...world.sent.values()];
  const repeated = all.reduce((sum, { taken }) => sum + Math.max(0, taken - 1), 0);
  expect(repeated).toBeLessThanOrEqual(world.counts.crashes + world.counts.unknowns);
  const dead = rows.filter(({ dispatch_state }) => dispatch_state === "dead").length;
  console.log(
    `${rows.length} recipients of ${ids.length} messages: ${rows.length - dead} dispatched, ${dead} dead, ${repeated} repeated;`,
    JSON.stringify(world.counts),
  );
});

test("a provider that is down for good exhausts a message by its dead letter", {
  timeout: 120_000,
}, async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.refuse(1_000);
  await sendSms(world.ctx(), {}, sms(1));
  await world.settle(() => open(company));
  expect(await recipients(company)).toMatchObject([
    { status: "failed", reason: "dispatch_exhausted", attempts: 9 },
  ]);
  expect(world.counts.deadLetters).toBe(1);

  world.refuse(3);
  await sendSms(world.ctx(), {}, sms(2));
  await world.settle(() => open(company));
  expect((await recipients(company))[1]).toMatchObject({ status: "submitted", attempts: 4, reason: null });
});

test("what its provider may have is unknown, also when its tries or its time are over", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  const send = async () => (await sendSms(world.ctx(), {}, sms(1))).recipients[0]?.id ?? 0;
  const [lapsed, old, repeated] = [await send(), await send(), await send()];
  await company.database().executeMultiple(`
    UPDATE message_recipients SET dispatch_state = 'dispatching', claim = 'lost', claim_until = 0;
    UPDATE message_recipients SET dispatch_state = 'pending', claim = NULL, in_doubt = 1 WHERE id = ${repeated};
  `);
  await buryRecipient(world.ctx(), lapsed);
  await buryRecipient(world.ctx(), repeated);
  world.now += 25 * 3_600_000;
  await dispatchRecipient(world.ctx(), old);
  const unknown = { status: "failed", reason: "unknown" };
  expect(await recipients(company)).toMatchObject([unknown, unknown, unknown]);
});

type ProviderRecord = { id: string; channel: string; status: string; last_error: object | null };
const PROVIDERS_PATH = "/settings/:company/messaging-providers";

async function smsProvider(company: TestCompany): Promise<ProviderRecord> {
  const { data } = must(await company.call<ProviderRecord[]>("GET", PROVIDERS_PATH), 200).body;
  const found = data.find(({ channel }) => channel === "sms");
  if (found === undefined) throw new Error("No provider of SMS");
  return found;
}

const taken = (world: MessagingWorld) => [...world.sent.values()].reduce((sum, sent) => sum + sent.taken, 0);

test("what its provider refuses was tried once, and has failed", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.refuse(1, 400);
  await sendSms(world.ctx(), {}, sms(1));
  await world.settle(() => open(company));
  const failed = { status: "failed", reason: "provider_rejected", attempts: 1 };
  expect(await recipients(company)).toMatchObject([failed]);
  expect(await smsProvider(company)).toMatchObject({ status: "active", last_error: null });
});

test("a provider that refuses its credentials pauses: its messages wait, and go when they are right", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  const waiting = { status: "queued", dispatch_state: "pending", reason: null };
  const send = async (number: number) => {
    const row = await sendSms(world.ctx(), {}, sms(number));
    const [id = 0] = row.recipients.map((recipient) => recipient.id);
    expect(await dispatchRecipient(world.ctx(), id)).toBeUndefined();
    return row;
  };
  world.refuse(1, 401);
  expect((await send(1)).warnings).toEqual([]);
  expect(await recipients(company)).toMatchObject([waiting]);
  const provider = await smsProvider(company);
  expect(provider).toMatchObject({
    status: "paused",
    last_error: { code: "provider_auth", provider_code: "401" },
  });
  // A second one is taken with a word of it, and the provider is not asked.
  expect((await send(2)).warnings).toEqual(["provider_paused"]);
  expect(await recipients(company)).toMatchObject([waiting, waiting]);
  expect(taken(world)).toBe(0);

  const config = { account_sid: "asha", api_key: "key", api_token: "a right one" };
  must(await company.call("PATCH", `${PROVIDERS_PATH}/${provider.id}`, { body: { config } }), 200);
  expect(await smsProvider(company)).toMatchObject({ status: "active", last_error: null });
  for (const { id } of await recipients(company)) await dispatchRecipient(world.ctx(), Number(id));
  const submitted = { status: "submitted", reason: null };
  expect(await recipients(company)).toMatchObject([submitted, submitted]);
  expect(taken(world)).toBe(2);
});

test("what waits for a paused provider for a day is too old, and another provider is taken meanwhile", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.refuse(1, 403);
  const [id = 0] = (await sendSms(world.ctx(), {}, sms(1))).recipients.map((recipient) => recipient.id);
  await dispatchRecipient(world.ctx(), id);
  const other = { channel: "sms", kind: "msg91", config: { auth_key: "a-key" } };
  must(await company.call("POST", PROVIDERS_PATH, { body: other }), 201);
  expect((await sendSms(world.ctx(), {}, sms(2))).warnings).toEqual([]);
  const { rows } = await company.database().execute("SELECT provider FROM message_recipients ORDER BY id");
  expect(rows.map(({ provider }) => provider)).toEqual(["exotel", "msg91"]);

  world.now += 24 * 3_600_000 + 1;
  await dispatchRecipient(world.ctx(), id);
  expect((await recipients(company))[0]).toMatchObject({ status: "failed", reason: "expired" });
});

test("whom the platform's mailer suppresses has failed, and is on no list of the company", async () => {
  const company = await withProviders([]);
  const asked: string[] = [];
  using world = await worldOf(company, {
    mailer: {
      send: async ({ to }) => {
        asked.push(to);
        throw Object.assign(new Error("On the list"), { code: "E_RECIPIENT_SUPPRESSED" });
      },
    },
  });
  for (const index of [1, 2]) {
    await mail(world, index, ["meera@asha.example"]);
    await world.settle(() => open(company));
  }
  const suppressed = { status: "failed", reason: "suppressed", attempts: 1 };
  expect(await recipients(company)).toMatchObject([suppressed, suppressed]);
  // The list ages there, so each message asks anew.
  expect(asked).toEqual(["meera@asha.example", "meera@asha.example"]);
});

function worldOf(company: TestCompany, options: { faults?: number; mailer?: Mailer } = {}) {
  const given = { random: seededRandom(SEED), faults: 0, ...options };
  return MessagingWorld.open(company.slug, inject("service"), given);
}

async function withProviders(providers = PROVIDERS): Promise<TestCompany> {
  const company = await openCompany();
  for (const body of providers)
    must(await company.call("POST", "/settings/:company/messaging-providers", { body }), 201);
  for (const statement of MARKS) await company.database().execute(statement);
  // The service's own Worker, whose cron other tests start, is to send none of these.
  const sql = "UPDATE companies SET next_sweep_at = NULL WHERE slug = ?";
  await clientOf("control").execute({ sql, args: [company.slug] });
  return company;
}

const sms = (index: number) => ({
  to: `9198${String(index).padStart(8, "0")}`,
  message: `Message ${index}`,
  type: "transactional" as const,
});

/** Accepts the messages, a client trying again where an answer says to; two in three are SMS, the others e-mails to three. */
async function acceptAll(world: MessagingWorld): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < MESSAGES; start += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, MESSAGES - start) }, (_, index) => start + index);
    const rows = await Promise.all(
      indexes.map((index) =>
        answered(index % 3 > 0 ? sendSms(world.ctx(), {}, sms(index)) : mail(world, index)),
      ),
    );
    ids.push(...rows.flatMap((row) => row?.id ?? []));
    world.now += 200;
  }
  return ids;
}

function mail(
  world: MessagingWorld,
  index: number,
  addresses = ["a", "b", "c"].map((name) => `${name}@${index}.example`),
): Promise<AcceptedRow> {
  const to = addresses.map((email) => ({ email, name: null }));
  return sendEmail(world.ctx(), {}, { to, subject: "Ready", html: "<p>Ready</p>" });
}

/** The row that a 202 answers with; undefined for a 503. */
function answered(send: Promise<AcceptedRow>): Promise<AcceptedRow | undefined> {
  return send.catch((error: unknown) => {
    if (error instanceof Problem && error.status === 503) return undefined;
    throw error;
  });
}

async function recipients(company: TestCompany) {
  const { rows } = await company.database().execute(`
    SELECT r.*, m.channel, json_extract(r.error, '$.code') AS reason,
      (SELECT count(*) FROM marks WHERE recipient = r.id) AS marks
    FROM message_recipients r JOIN messages m ON m.id = r.message_id ORDER BY r.id`);
  return rows;
}

async function open(company: TestCompany): Promise<number> {
  const { rows } = await company
    .database()
    .execute(
      "SELECT count(*) AS n FROM message_recipients WHERE dispatch_state IN ('pending', 'dispatching')",
    );
  return Number(rows[0]?.n);
}
