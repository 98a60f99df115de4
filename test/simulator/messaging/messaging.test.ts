import { expect, test } from "vitest";
import { Problem } from "#shared/problem.ts";
import type { AcceptedRow } from "../../../src/features/messaging/send/accepted.ts";
import { SEED } from "../draw.ts";
import { mail, openWorld, sms } from "./records.ts";
import type { MessagingWorld } from "./world.ts";

const MESSAGES = 3 * Number(process.env.MODEL_RUNS ?? 30);
const FAULTS = 0.1;
const AT_ONCE = 10;

test(`whatever dies on the way, each accepted message ends once, and as it was (seed ${SEED})`, {
  timeout: 60_000 + MESSAGES * 1_600,
}, async () => {
  using world = await openWorld({ faults: FAULTS });
  const ids = await acceptAll(world);
  await world.settle();

  const rows = await world.recipients();
  const stored = new Set(rows.map((row) => row.message_id));
  expect(ids.filter((id) => !stored.has(id))).toEqual([]);
  for (const row of rows) {
    const { message_id, channel, status, dispatch_state, reason, provider_message_id, marks } = row;
    // The hourly job takes for unknown what a late run still marks.
    expect({ message_id, marks }).toEqual({ message_id, marks: expect.toBeOneOf([1, 2]) });
    const reference = channel === "sms" ? String(message_id) : `${message_id}:${row.ordinal}`;
    const sent = world.providers.sent.get(reference);
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
  const repeated = world.providers.taken().reduce((sum, taken) => sum + Math.max(0, taken - 1), 0);
  expect(repeated).toBeLessThanOrEqual(world.counts.crashes + world.providers.unknowns);
});

/** Accepts the messages, a client trying again where an answer says to; two in three are SMS, the others e-mails to three. */
async function acceptAll(world: MessagingWorld): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < MESSAGES; start += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, MESSAGES - start) }, (_, index) => start + index);
    const rows = await Promise.all(indexes.map((index) => answered(send(world, index))));
    ids.push(...rows.flatMap((row) => row?.id ?? []));
    world.now += 200;
  }
  return ids;
}

function send(world: MessagingWorld, index: number): Promise<AcceptedRow> {
  if (index % 3 > 0) return sms(world, index);
  return mail(world, ...["a", "b", "c"].map((name) => `${name}@${index}.example`));
}

/** The row that a 202 answers with; undefined for a 503. */
function answered(sending: Promise<AcceptedRow>): Promise<AcceptedRow | undefined> {
  return sending.catch((error: unknown) => {
    if (error instanceof Problem && error.status === 503) return undefined;
    throw error;
  });
}
