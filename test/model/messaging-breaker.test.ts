import { expect, test, vi } from "vitest";
import { sendSms } from "../../src/features/messaging/send/send-sms.ts";
import { rowsOf } from "../features/commerce.ts";
import type { TestCompany } from "../support/company.ts";
import { mail, open, recipients, sms, withProviders, worldOf } from "./messaging-records.ts";

vi.setConfig({ testTimeout: 60_000 });

const provider = async (company: TestCompany, channel: string) =>
  (
    await rowsOf(company, "SELECT failures, rests_until FROM messaging_providers WHERE channel = ?", [
      channel,
    ])
  )[0];

test("a provider that fails five times in succession is left alone; one recipient asks it again, and the others follow", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.providers.refuse(1_000);
  for (let index = 0; index < 20; index += 1) await sendSms(world.ctx(), {}, sms(index));
  const from = world.now;
  await world.pass(14_000);
  // Four at a time, until the fifth failure is known.
  const asked = world.providers.refused;
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(asked).toBeLessThanOrEqual(9);
  const resting = await provider(company, "sms");
  expect(Number(resting?.failures)).toBe(5);
  expect(Number(resting?.rests_until)).toBeGreaterThan(from);
  const waiting = (await recipients(company)).filter(({ attempts }) => attempts === 0);
  expect(waiting.length).toBeGreaterThanOrEqual(20 - asked);

  // Then one asks, and it is left alone for twice as long.
  await world.pass(Number(resting?.rests_until) + 5_000 - world.now);
  expect(world.providers.refused).toBe(asked + 1);
  expect(await provider(company, "sms")).toMatchObject({ failures: 6 });

  world.providers.refuse(0);
  await world.settle(() => open(company));
  expect(await provider(company, "sms")).toMatchObject({ failures: 0, rests_until: null });
  expect((await recipients(company)).every(({ status }) => status === "submitted")).toBe(true);
  expect([...world.providers.sent.values()].every(({ taken }) => taken === 1)).toBe(true);
});

test("while one provider is left alone, the company's other one is asked", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.providers.refuse(5);
  for (let index = 0; index < 5; index += 1) await sendSms(world.ctx(), {}, sms(index));
  await world.pass(5_000);
  expect(await provider(company, "sms")).toMatchObject({ failures: 5 });
  await mail(world, 1);
  await world.pass(5_000);
  const mails = (await recipients(company)).filter(({ channel }) => channel === "email");
  expect(mails.map(({ status, attempts }) => [status, attempts])).toEqual([
    ["sent", 1],
    ["sent", 1],
    ["sent", 1],
  ]);
});

test("a refusal of a message is an answer: it leaves its provider as it is", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  for (let index = 0; index < 8; index += 1) {
    world.providers.refuse(1, index % 4 === 3 ? 400 : 500);
    await sendSms(world.ctx(), {}, sms(index));
    await world.settle(() => open(company));
  }
  expect(await provider(company, "sms")).toMatchObject({ failures: 0, rests_until: null });
});
