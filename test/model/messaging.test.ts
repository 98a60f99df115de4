import { expect, test } from "vitest";
import { Problem } from "#shared/problem.ts";
import { dispatchRecipient } from "../../src/features/messaging/dispatch/dispatch-recipient.ts";
import type { AcceptedRow } from "../../src/features/messaging/send/accepted.ts";
import { sendSms } from "../../src/features/messaging/send/send-sms.ts";
import { attach, mail, open, recipients, SEED, sms, withProviders, worldOf } from "./messaging-records.ts";
import type { MessagingWorld } from "./messaging-world.ts";

// 60 messages in `npm test`, 2,000 in `npm run soak`.
const MESSAGES = Number(process.env.MODEL_RUNS ?? 60);
const FAULTS = 0.1;
const AT_ONCE = 10;

test(`whatever dies on the way, each accepted message ends once, and as it was (seed ${SEED})`, {
  timeout: 60_000 + MESSAGES * 1_600,
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
    const sent = world.providers.sent.get(
      channel === "sms" ? String(message_id) : `${message_id}:${row.ordinal}`,
    );
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
  const all = [...world.providers.sent.values()];
  const repeated = all.reduce((sum, { taken }) => sum + Math.max(0, taken - 1), 0);
  expect(repeated).toBeLessThanOrEqual(world.counts.crashes + world.providers.unknowns);
  const dead = rows.filter(({ dispatch_state }) => dispatch_state === "dead").length;
  console.log(
    `${rows.length} recipients of ${ids.length} messages: ${rows.length - dead} dispatched, ${dead} dead, ${repeated} repeated;`,
    JSON.stringify(world.counts),
  );
});

test("a provider that is busy for good exhausts a message at its ninth try", {
  timeout: 120_000,
}, async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.providers.refuse(1_000);
  await sendSms(world.ctx(), {}, sms(1));
  await world.settle(() => open(company));
  expect(await recipients(company)).toMatchObject([
    { status: "failed", reason: "dispatch_exhausted", attempts: 9 },
  ]);
  expect(world.counts.deadLetters).toBe(0);

  world.providers.refuse(3);
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
    UPDATE message_recipients SET dispatch_state = 'dispatching', lease = 'lost', leased_until = 0;
    UPDATE message_recipients SET dispatch_state = 'pending', lease = NULL, in_doubt = 1 WHERE id = ${repeated};
  `);
  await dispatchRecipient(world.ctx(), lapsed, attach);
  await dispatchRecipient(world.ctx(), repeated, attach);
  world.now += 25 * 3_600_000;
  await dispatchRecipient(world.ctx(), old, attach);
  const unknown = { status: "failed", reason: "unknown" };
  expect(await recipients(company)).toMatchObject([unknown, unknown, unknown]);
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

/** The row that a 202 answers with; undefined for a 503. */
function answered(send: Promise<AcceptedRow>): Promise<AcceptedRow | undefined> {
  return send.catch((error: unknown) => {
    if (error instanceof Problem && error.status === 503) return undefined;
    throw error;
  });
}
