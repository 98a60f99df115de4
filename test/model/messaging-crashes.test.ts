import { describe, expect, test, vi } from "vitest";
import { sendSms } from "../../src/features/messaging/send/send-sms.ts";
import { mail, open, recipients, sms, withProviders, worldOf } from "./messaging-records.ts";
import type { MessagingWorld } from "./messaging-world.ts";

// What the Worker tries again, it does after real pauses.
vi.setConfig({ testTimeout: 60_000 });

const MINUTE_MS = 60_000;
const taken = (world: MessagingWorld) => [...world.providers.sent.values()].map((sent) => sent.taken);

describe("a run that dies", () => {
  // Points 1 to 10: before and after the look who waits, the lease, the row that says that the provider is asked, the
  // asking, its outcome.
  test.each([1, 2, 3, 4, 5])(
    "before it says that it asks (%i) hands over again, and nothing is unknown",
    async (point) => {
      const company = await withProviders();
      using world = await worldOf(company);
      await sendSms(world.ctx(), {}, sms(1));
      world.dieAt(point);
      await world.settle(() => open(company));
      expect(world.counts.crashes).toBe(1);
      expect(await recipients(company)).toMatchObject([{ status: "submitted", attempts: 1, in_doubt: 0 }]);
      expect(taken(world)).toEqual([1]);
    },
  );

  test.each([
    [6, []],
    [7, []],
    [8, [1]],
    [9, [1]],
  ] as const)("while it asks (%i) leaves an SMS unknown, and never sends it twice", async (point, sent) => {
    const company = await withProviders();
    using world = await worldOf(company);
    await sendSms(world.ctx(), {}, sms(1));
    world.dieAt(point);
    await world.settle(() => open(company));
    expect(await recipients(company)).toMatchObject([{ status: "failed", reason: "unknown", attempts: 1 }]);
    expect(taken(world)).toEqual(sent);
  });

  test("while it asks a provider that sends each reference once asks it again", async () => {
    const company = await withProviders();
    using world = await worldOf(company);
    await mail(world, 1, ["meera@asha.example"]);
    world.dieAt(8);
    await world.settle(() => open(company));
    expect(await recipients(company)).toMatchObject([
      { status: "sent", dispatch_state: "dispatched", attempts: 2 },
    ]);
  });

  test("after its mark (10) has done its work", async () => {
    const company = await withProviders();
    using world = await worldOf(company);
    await sendSms(world.ctx(), {}, sms(1));
    world.dieAt(10);
    await world.settle(() => open(company));
    expect(world.counts.crashes).toBe(1);
    expect(await recipients(company)).toMatchObject([{ status: "submitted", attempts: 1 }]);
  });
});

test.each([500, 502, 503, 504])(
  "an SMS that is answered %i is not sent again, and is unknown",
  async (status) => {
    const company = await withProviders();
    using world = await worldOf(company);
    world.providers.refuse(1, status);
    await sendSms(world.ctx(), {}, sms(1));
    await world.settle(() => open(company));
    expect(await recipients(company)).toMatchObject([{ status: "failed", reason: "unknown", attempts: 1 }]);
  },
);

test.each(["sms", "email"])(
  "what a provider of %s accepted while no database could record it is recorded later",
  async (channel) => {
    const company = await withProviders();
    using world = await worldOf(company);
    world.loseDatabasesOnceAsked(4 * MINUTE_MS);
    await (channel === "sms" ? sendSms(world.ctx(), {}, sms(1)) : mail(world, 1, ["meera@asha.example"]));
    await world.settle(() => open(company));
    const [sent] = [...world.providers.sent.values()];
    expect(sent).toMatchObject({ calls: 1, taken: 1 });
    const status = channel === "sms" ? "submitted" : "sent";
    const told = {
      status,
      dispatch_state: "dispatched",
      attempts: 1,
      marks: 1,
      provider_message_id: sent?.id,
    };
    expect(await recipients(company)).toMatchObject([told]);
  },
);

test("an SMS that was accepted is submitted in the end, also where the hourly job took it for unknown", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.loseDatabasesOnceAsked(11 * MINUTE_MS);
  await sendSms(world.ctx(), {}, sms(1));
  await world.settle(() => open(company));
  const [sent] = [...world.providers.sent.values()];
  expect(sent).toMatchObject({ calls: 1, taken: 1 });
  expect(await recipients(company)).toMatchObject([
    { status: "submitted", reason: null, provider_message_id: sent?.id },
  ]);
});

describe("what waited while a database was away", () => {
  test("ends by no dead letter: its job is put back, and it goes out", async () => {
    const company = await withProviders();
    using world = await worldOf(company);
    const { id: message } = await sendSms(world.ctx(), {}, sms(1));
    await sendSms(world.ctx(), {}, sms(2));
    await world.loseQueued();
    world.queue({ kind: "dispatch", message }, true);
    await world.settle(() => open(company));
    const submitted = { status: "submitted", attempts: 1, requeues: 0 };
    expect(await recipients(company)).toMatchObject([submitted, submitted]);
    expect(taken(world)).toEqual([1, 1]);
  });

  test("ends as expired once it is a day old", async () => {
    const company = await withProviders();
    using world = await worldOf(company);
    await sendSms(world.ctx(), {}, sms(1));
    world.now += 24 * 60 * MINUTE_MS + 1;
    await world.settle(() => open(company));
    expect(await recipients(company)).toMatchObject([{ status: "failed", reason: "expired" }]);
  });
});
