import { expect, test } from "vitest";
import { dispatchRecipient } from "../../src/features/messaging/dispatch/dispatch-recipient.ts";
import { updateProvider } from "../../src/features/messaging/providers/providers.ts";
import { sendSms } from "../../src/features/messaging/send/send-sms.ts";
import { must, type TestCompany } from "../support/company.ts";
import { attach, mail, open, recipients, sms, withProviders, worldOf } from "./messaging-records.ts";
import type { MessagingWorld } from "./messaging-world.ts";

type ProviderRecord = { id: string; channel: string; status: string; last_error: object | null };
const PROVIDERS_PATH = "/settings/:company/messaging-providers";

async function smsProvider(company: TestCompany): Promise<ProviderRecord> {
  const { data } = must(await company.call<ProviderRecord[]>("GET", PROVIDERS_PATH), 200).body;
  const found = data.find(({ channel }) => channel === "sms");
  if (found === undefined) throw new Error("No provider of SMS");
  return found;
}

const taken = (world: MessagingWorld) =>
  [...world.providers.sent.values()].reduce((sum, sent) => sum + sent.taken, 0);

test("what its provider refuses was tried once, and has failed", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.providers.refuse(1, 400);
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
    expect(await dispatchRecipient(world.ctx(), id, attach)).toBe(true);
    return row;
  };
  world.providers.refuse(1, 401);
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
  await updateProvider(world.ctx(), { id: Number(provider.id) }, { config });
  expect(await smsProvider(company)).toMatchObject({ status: "active", last_error: null });
  await world.settle(() => open(company));
  const submitted = { status: "submitted", reason: null };
  expect(await recipients(company)).toMatchObject([submitted, submitted]);
  expect(taken(world)).toBe(2);
});

test("what waits for a paused provider for a day is too old, and another provider is taken meanwhile", async () => {
  const company = await withProviders();
  using world = await worldOf(company);
  world.providers.refuse(1, 403);
  const [id = 0] = (await sendSms(world.ctx(), {}, sms(1))).recipients.map((recipient) => recipient.id);
  await dispatchRecipient(world.ctx(), id, attach);
  const other = { channel: "sms", kind: "msg91", config: { auth_key: "a-key" } };
  must(await company.call("POST", PROVIDERS_PATH, { body: other }), 201);
  expect((await sendSms(world.ctx(), {}, sms(2))).warnings).toEqual([]);
  const { rows } = await company.database().execute("SELECT provider FROM message_recipients ORDER BY id");
  expect(rows.map(({ provider }) => provider)).toEqual(["exotel", "msg91"]);

  world.now += 24 * 3_600_000 + 1;
  await dispatchRecipient(world.ctx(), id, attach);
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
