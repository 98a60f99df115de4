import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../../support/company.ts";
import { refusedFields } from "../../commerce.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { bodyOf, post as callback } from "../callbacks/chatapp-callback.ts";
import {
  accepted,
  arrived,
  CONFIGS,
  connect,
  newAddress,
  newNumber,
  newPhoneNumberId,
  readMessage,
  received,
  sendEmail,
  sendSms,
  until,
} from "../provider.ts";

const PROVIDERS = "/settings/:company/messaging-providers";
type Provider = {
  id: string;
  is_default: boolean;
  is_active: boolean;
  config: Record<string, unknown>;
  last_error: unknown;
};

const company = await openCompany();

const post = (body: unknown, of = company) => of.call<Provider>("POST", PROVIDERS, { body });
const patch = (id: string, body: unknown, of = company) =>
  of.call<Provider>("PATCH", `${PROVIDERS}/${id}`, { body });
const list = async (of: TestCompany) => must(await of.call<Provider[]>("GET", PROVIDERS), 200).body.data;

describe("a messaging provider", () => {
  test("shows of its secrets only that they are set, and their last four characters", async () => {
    const body = {
      channel: "email",
      kind: "resend",
      config: { api_key: "re_secret_9876", from_email: "a@asha.example" },
    };
    const answer = await post(body);
    expect(answer.body.data.config).toEqual({
      api_key: { configured: true, last_four: "9876" },
      from_email: "a@asha.example",
    });
    const rows = await company.rows("SELECT * FROM messaging_providers");
    expect(answer.text + JSON.stringify(rows)).not.toContain("re_secret");
  });

  test.each([
    [{ channel: "sms", kind: "msg91", config: {} }, { "config.auth_key": "required" }],
    [{ channel: "sms", kind: "meta", config: {} }, { kind: "invalid_value" }],
    [{ channel: "sms", kind: "http", config: { url: "http://x.example" } }, { "config.url": "invalid_url" }],
    [
      { channel: "sms", kind: "http", config: { url: "https://127.0.0.1/" } },
      { "config.url": "invalid_url" },
    ],
    [
      { channel: "email", kind: "postmark", config: { server_token: "token" } },
      { "config.from_email": "required" },
    ],
    [
      { channel: "chatapp", kind: "meta", config: { phone_number_id: "x", access_token: "token" } },
      { "config.phone_number_id": "invalid_format" },
    ],
    [
      { channel: "sms", kind: "twilio", config: { account_sid: "AC1", auth_token: "token" } },
      { "config.account_sid": "invalid_format" },
    ],
  ])("refuses %j at its fields", async (body, fields) => {
    expectRefused(await post(body), fields);
  });

  test("is the default where it is the first of its channel, or asked for; there is never a second one", async () => {
    const own = await openCompany();
    const first = must(await post(CONFIGS.msg91(), own), 201).body.data;
    const second = must(await post(CONFIGS.exotel(), own), 201).body.data;
    expect([first.is_default, second.is_default]).toEqual([true, false]);
    must(await patch(second.id, { is_default: true }, own), 200);
    expect((await list(own)).map(({ is_default }) => is_default)).toEqual([true, false]);
    must(await patch(second.id, { is_active: false }, own), 200);
    must(await patch(first.id, { is_default: true }, own), 200);
    must(await patch(second.id, { is_active: true }, own), 200);
    expect((await list(own)).map(({ is_default }) => is_default)).toEqual([false, true]);
    await Promise.all([first, second, first, second].map(({ id }) => patch(id, { is_default: true }, own)));
    expect((await list(own)).filter(({ is_default }) => is_default)).toHaveLength(1);
  });

  test("that is switched off takes no default away by asking for it", async () => {
    const own = await openCompany();
    const [first, second] = [
      must(await post(CONFIGS.msg91(), own), 201).body.data,
      must(await post({ ...CONFIGS.exotel(), is_active: false }, own), 201).body.data,
    ];
    const asked = must(await patch(second.id, { is_default: true }, own), 200).body.data;
    expect(asked).toMatchObject({ is_active: false, is_default: false });
    expect(await list(own)).toMatchObject([{ id: second.id }, { id: first.id, is_default: true }]);
    must(await patch(second.id, { is_active: true, is_default: true }, own), 200);
    expect((await list(own)).map(({ is_default }) => is_default)).toEqual([true, false]);
  });

  test("switched off sends nothing; the oldest other one does, and none is 422", async () => {
    const own = await openCompany();
    const first = must(await post(CONFIGS["http-sms"](), own), 201).body.data;
    const second = must(await post(CONFIGS.twilio(), own), 201).body.data;
    must(await patch(first.id, { is_active: false }, own), 200);
    const to = newNumber();
    await until(own, accepted(await sendSms(own, { to })), "submitted");
    expect(await received(to)).toMatchObject([{ kind: "twilio" }]);
    must(await patch(second.id, { is_active: false }, own), 200);
    expect(await sendSms(own)).toMatchObject(refusal(422, "no_active_provider"));
  });

  test("with messages to send stays; without, it goes and its messages remain", async () => {
    const own = company;
    const { id } = await connect(own, "msg91");
    const message = accepted(await sendSms(own));
    await until(own, message, "submitted");
    await own.rows("UPDATE message_recipients SET dispatch_state = 'pending'");
    expect(await own.call("DELETE", `${PROVIDERS}/${id}`)).toMatchObject(refusal(409, "in_use"));
    await own.rows("UPDATE message_recipients SET dispatch_state = 'dispatched'");
    must(await own.call("DELETE", `${PROVIDERS}/${id}`), 200);
    expect(await readMessage(own, message)).toMatchObject({ status: "submitted" });
  });

  test("whose configuration is replaced is asked with the new one", async () => {
    const own = company;
    const { id } = must(await post({ ...CONFIGS.resend(), is_default: true }, own), 201).body.data;
    const config = { api_key: "re_key_new", from_email: "new@asha.example" };
    expect(must(await patch(id, { config }, own), 200).body.data.config).toEqual({
      api_key: { configured: true, last_four: "_new" },
      from_email: "new@asha.example",
    });
    const to = newAddress();
    accepted(await sendEmail(own, { to }));
    expect(await arrived(to)).toMatchObject({ from: "new@asha.example" });
  });
});

test("a chat-app number is only of a company whose token opens it: no other takes it first, or reads what is written to it", async () => {
  const [other, owner] = [await openCompany(), await openCompany()];
  const config = { phone_number_id: newPhoneNumberId(), access_token: "token" };
  const body = (token: string) => ({
    channel: "chatapp",
    kind: "meta",
    config: { ...config, access_token: token },
  });
  const refused = await post(body("token-of-another"), other);
  expect(refused).toMatchObject(refusal(422, "validation_failed"));
  expect(refusedFields(refused)).toEqual({ "config.access_token": "not_accepted" });
  const own = { ...config, phone_number_id: newPhoneNumberId() };
  const { id } = must(await post({ channel: "chatapp", kind: "meta", config: own }, other), 201).body.data;
  const change = { config: { ...config, access_token: "token-of-another" } };
  expect((await patch(id, change, other)).status).toBe(422);
  must(await post(body("token"), owner), 201);
  const message = {
    id: "wamid.of-the-owner",
    from: newNumber(),
    type: "text",
    text: { body: "For the owner" },
  };
  expect((await callback(bodyOf({ number: config.phone_number_id, messages: [message] }))).status).toBe(200);
  const inboxOf = async (of: TestCompany) =>
    must(await of.call<{ text: string }[]>("GET", "/messaging/:company/inbound"), 200).body.data;
  expect(await inboxOf(owner)).toMatchObject([{ text: "For the owner" }]);
  expect(await inboxOf(other)).toEqual([]);
});

test("a chat-app number belongs to one company, until that one gives it up", async () => {
  const [one, other] = [company, await openCompany()];
  const config = { phone_number_id: newPhoneNumberId(), access_token: "token" };
  const body = { channel: "chatapp", kind: "meta", config };
  const { id } = must(await post(body, one), 201).body.data;
  expect(await post(body, other)).toMatchObject(refusal(409, "conflict"));
  must(await patch(id, { config: { ...config, phone_number_id: newPhoneNumberId() } }, one), 200);
  const taken = must(await post(body, other), 201).body.data;
  must(await other.call("DELETE", `${PROVIDERS}/${taken.id}`), 200);
  must(await patch(id, { config }, one), 200);

  // A second provider of the same number keeps it when the first goes.
  const renewed = must(await post(body, one), 201).body.data;
  must(await one.call("DELETE", `${PROVIDERS}/${id}`), 200);
  expect((await post(body, other)).status).toBe(409);
  must(await one.call("DELETE", `${PROVIDERS}/${renewed.id}`), 200);
  must(await post(body, other), 201);
});
