import { expect, test, vi } from "vitest";
import { dispatchRecipient } from "../../../src/features/messaging/dispatch/dispatch-recipient.ts";
import { endFailedAttempt } from "../../../src/features/messaging/dispatch/end-attempt.ts";
import { type Leased, leaseRecipient } from "../../../src/features/messaging/dispatch/lease.ts";
import { updateProvider } from "../../../src/features/messaging/providers/providers.ts";
import { readMessage } from "../../features/messaging/provider.ts";
import { attach, mail, openWorld, sms } from "./records.ts";
import type { MessagingWorld } from "./world.ts";

vi.setConfig({ testTimeout: 60_000 });

type ProviderRecord = { id: string; channel: string; status: string; last_error: object | null };
const PROVIDERS = "/settings/:company/messaging-providers";
const WAITING = { status: "queued", dispatch_state: "pending", reason: "provider_auth" };

/** How often the provider of SMS failed in succession, and until when it is left alone. */
async function rest({ company }: MessagingWorld) {
  const failures = "SELECT failures, rests_until FROM messaging_providers WHERE channel = 'sms'";
  return (await company.rows(failures))[0];
}

async function smsProvider({ company }: MessagingWorld): Promise<ProviderRecord | undefined> {
  const providers = await company.read<ProviderRecord[]>(PROVIDERS);
  return providers.find(({ channel }) => channel === "sms");
}

/** Accepts an SMS and dispatches it at once. */
async function dispatched(world: MessagingWorld, index: number) {
  const row = await sms(world, index);
  const id = row.recipients[0]?.id ?? 0;
  expect(await dispatchRecipient(world.ctx(), id, attach)).toBe(true);
  return { id, warnings: row.warnings };
}

test("a provider that fails five times in succession is left alone; one recipient asks it again, and the others follow", async () => {
  using world = await openWorld();
  world.providers.refuse(1_000);
  for (let index = 0; index < 20; index += 1) await sms(world, index);
  const from = world.now;
  await world.pass(14_000);
  // Four at a time, until the fifth failure is known.
  const asked = world.providers.refused;
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(asked).toBeLessThanOrEqual(9);
  const resting = await rest(world);
  expect(Number(resting?.failures)).toBe(5);
  expect(Number(resting?.rests_until)).toBeGreaterThan(from);
  const waiting = (await world.recipients()).filter(({ attempts }) => attempts === 0);
  expect(waiting.length).toBeGreaterThanOrEqual(20 - asked);

  // Then one asks, and it is left alone for twice as long.
  await world.pass(Number(resting?.rests_until) + 5_000 - world.now);
  expect(world.providers.refused).toBe(asked + 1);
  expect(await rest(world)).toMatchObject({ failures: 6 });

  world.providers.refuse(0);
  await world.settle();
  expect(await rest(world)).toMatchObject({ failures: 0, rests_until: null });
  expect((await world.recipients()).every(({ status }) => status === "submitted")).toBe(true);
  expect(world.providers.taken().every((taken) => taken === 1)).toBe(true);
});

test("recipients that always fail keep no circuit breaker open: one that was asked for less is asked for first", async () => {
  using world = await openWorld();
  world.providers.busyTo = /0000000[0-4]$/;
  for (let index = 0; index < 5; index += 1) await sms(world, index);
  await world.pass(120_000);
  const resting = await rest(world);
  expect(Number(resting?.failures)).toBeGreaterThan(6);
  await world.pass(Number(resting?.rests_until) - 5_000 - world.now);
  const { id } = await sms(world, 9);
  await world.pass(15_000);
  expect(await readMessage(world.company, id)).toMatchObject({ status: "submitted" });
});

test("a provider that is too busy for one number alone has answered", async () => {
  using world = await openWorld();
  const row = await sms(world, 1);
  const failed = { again: 60, inDoubt: false, retryAfter: 0 };
  for (const [ended, failures] of [
    [failed, 1],
    [{ ...failed, isOfRecipient: true as const }, 0],
  ] as const) {
    const leased = await leaseRecipient(world.ctx(), row.recipients[0]?.id ?? 0);
    await endFailedAttempt(world.ctx(), leased as Leased, ended);
    expect(await rest(world)).toMatchObject({ failures });
    world.now += 60_000;
  }
});

test("while one provider is left alone, the company's other one is asked", async () => {
  using world = await openWorld();
  world.providers.refuse(5);
  for (let index = 0; index < 5; index += 1) await sms(world, index);
  await world.pass(5_000);
  expect(await rest(world)).toMatchObject({ failures: 5 });
  await mail(world, "a@1.example", "b@1.example", "c@1.example");
  await world.pass(5_000);
  const mails = (await world.recipients()).filter(({ channel }) => channel === "email");
  const sent = { status: "sent", attempts: 1 };
  expect(mails).toMatchObject([sent, sent, sent]);
});

test("a refusal of a message is an answer: it leaves its provider as it is", async () => {
  using world = await openWorld();
  for (let index = 0; index < 8; index += 1) {
    world.providers.refuse(1, index % 4 === 3 ? 400 : 500);
    await sms(world, index);
    await world.settle();
  }
  expect(await rest(world)).toMatchObject({ failures: 0, rests_until: null });
  expect(await smsProvider(world)).toMatchObject({ status: "active", last_error: null });
});

test("a provider that refuses its credentials pauses: its messages wait, and go when they are right", async () => {
  using world = await openWorld();
  world.providers.refuse(1, 401);
  expect((await dispatched(world, 1)).warnings).toEqual([]);
  expect(await world.recipients()).toMatchObject([WAITING]);
  const error = { code: "provider_auth", provider_code: "401" };
  const provider = await smsProvider(world);
  expect(provider).toMatchObject({ status: "paused", last_error: error });
  // A second one is taken with a word of it, and the provider is not asked.
  expect((await dispatched(world, 2)).warnings).toEqual(["provider_paused"]);
  expect(await world.recipients()).toMatchObject([WAITING, WAITING]);
  expect(world.providers.taken()).toEqual([0]);

  const config = { account_sid: "asha", api_key: "key", api_token: "a right one" };
  await updateProvider(world.ctx(), { id: Number(provider?.id) }, { config });
  expect(await smsProvider(world)).toMatchObject({ status: "active", last_error: null });
  await world.settle();
  const submitted = { status: "submitted", reason: null };
  expect(await world.recipients()).toMatchObject([submitted, submitted]);
  expect(world.providers.taken()).toEqual([1, 1]);
});

test("a mail that was refused never looks as if it had gone: it waits with its reason, or it failed", async () => {
  using world = await openWorld();
  const read = (id: string) => readMessage(world.company, id);
  world.providers.refuse(1, 403, "error code: 1010");
  const { id: stopped } = await mail(world, "a@1.example");
  await world.pass(5_000);
  const failed = { status: "failed", error: { code: "provider_rejected", provider_code: "403" } };
  expect(await read(stopped)).toMatchObject(failed);

  world.providers.refuse(1, 401);
  const { id: asked } = await mail(world, "b@1.example");
  await world.pass(5_000);
  const { id: behind } = await mail(world, "c@1.example");
  await world.pass(5_000);
  const error = { code: "provider_auth", message: expect.stringContaining("waits") };
  for (const [id, email] of [
    [asked, "b@1.example"],
    [behind, "c@1.example"],
  ] as const)
    expect(await read(id)).toMatchObject({ status: "sent", error, failed: [{ email, ...error }] });

  const providers = await world.company.read<ProviderRecord[]>(PROVIDERS);
  const paused = providers.find(({ status }) => status === "paused");
  await updateProvider(world.ctx(), { id: Number(paused?.id) }, { is_active: true });
  await world.settle();
  for (const id of [asked, behind]) expect(await read(id)).toMatchObject({ error: null, failed: [] });
  expect(world.providers.taken()).toEqual([0, 1, 1]);
});

test("what waits for a paused provider for a day is too old, and another provider is taken meanwhile", async () => {
  using world = await openWorld();
  world.providers.refuse(1, 403);
  const { id } = await dispatched(world, 1);
  await world.company.make(PROVIDERS, { channel: "sms", kind: "msg91", config: { auth_key: "a-key" } });
  expect((await sms(world, 2)).warnings).toEqual([]);
  expect(await world.recipients()).toMatchObject([{ provider: "exotel" }, { provider: "msg91" }]);

  world.now += 24 * 3_600_000 + 1;
  await dispatchRecipient(world.ctx(), id, attach);
  expect((await world.recipients())[0]).toMatchObject({ status: "failed", reason: "expired" });
});
