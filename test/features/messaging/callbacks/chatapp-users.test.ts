import { randomInt } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../../support/company.ts";
import { accepted, arrived, connect, newNumber, readMessage, sendChatapp } from "../provider.ts";
import { bodyOf, numberOf, post, sent } from "./chatapp-callback.ts";

const newUser = () => `IN.${randomInt(1e12, 1e13)}`;
const TEXT = { type: "text", text: { body: "Hello" } };
let company: TestCompany;
let number: string;
let secret: string;
beforeAll(async () => {
  company = await openCompany();
  const provider = await connect(company, "meta");
  number = numberOf(provider);
  secret = String(provider.config.app_secret);
});

let written = 0;
const write = async (said: object, text = "STOP") => {
  written += 1;
  const id = `wamid.${number}.${written}`;
  const message = {
    id,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    type: "text",
    text: { body: text },
    ...said,
  };
  must(await post(bodyOf({ number, messages: [message] })), 200);
  return id;
};
const inbox = async (query: string) =>
  await company.read<Record<string, unknown>[]>(`/messaging/:company/inbound?${query}`);
const optouts = async () => {
  const answer = await company.call<{ address: string; e164: string | null }[]>(
    "GET",
    "/settings/:company/optouts",
  );
  return must(answer, 200).body.data.map(({ address, e164 }) => [address, e164]);
};
const sendTo = async (to: string, fields: object = TEXT) =>
  must(await sendChatapp(company, { to, ...fields }), 202).body.data;

test.each([
  ["beside `from`", (user: string) => ({ from_user_id: user })],
  ["as `from`", (user: string) => ({ from: user })],
])(
  "a person who hides the number is in the inbox by the user id, %s, and may be answered for a day",
  async (_, by) => {
    const user = newUser();
    const shop = { name: "Meera", phone: user.slice(3), state: "Kerala", pincode: "682001" };
    await company.call("POST", "/customers/:company", { body: shop });
    const id = await write(by(user), "Is it ready?");
    expect(await inbox(`from=${user}`)).toMatchObject([
      { from: user, from_e164: null, customer_id: null, text: "Is it ready?", provider_message_id: id },
    ]);
    const message = await sendTo(user);
    expect(message).toMatchObject({ to: user });
    expect(message).not.toHaveProperty("warnings");
    expect(await arrived(user)).toMatchObject({ to: user, text: "Hello" });
    const silent = newUser();
    const before = String(Math.floor(Date.now() / 1_000) - 24 * 3_600 - 1);
    await write({ ...by(silent), timestamp: before }, "Hello?");
    expect(await sendTo(silent)).toMatchObject({ warnings: ["outside_window"] });
  },
);

test("STOP of a user id is an opt-out of it, and START takes it back", async () => {
  const user = newUser();
  await write({ from_user_id: user });
  expect(await optouts()).toContainEqual([user, null]);
  const { id } = (await sendTo(user)) as { id: string };
  expect(await readMessage(company, id)).toMatchObject({ status: "failed", error: { code: "not_opted_in" } });
  await write({ from_user_id: user }, "START");
  expect(await optouts()).not.toContainEqual([user, null]);
});

test("STOP in answer to a message of ours holds for the number of that message too", async () => {
  const { id, wamid } = await sent(company);
  const { to } = await readMessage(company, id);
  const user = newUser();
  await write({ from_user_id: user, context: { id: wamid } });
  expect(await optouts()).toEqual(
    expect.arrayContaining([
      [user, null],
      [to, `+${to}`],
    ]),
  );
});

test.each([
  ["a number", () => ({ wa_id: newNumber() })],
  ["a user id", () => ({ user_id: newUser() })],
])("`stop` of a preference is an opt-out of %s, `resume` ends it, and one by hand stays", async (_, by) => {
  const whom = by();
  const address = Object.values(whom)[0] ?? "";
  const prefer = (value: string) => {
    const preference = { ...whom, category: "marketing_messages", value, timestamp: "1795890195" };
    const body = JSON.parse(bodyOf({ number }));
    body.entry[0].changes[0].field = "user_preferences";
    body.entry[0].changes[0].value.user_preferences = [preference];
    return post(JSON.stringify(body));
  };
  const addresses = async () => (await optouts()).map(([one]) => one);
  must(await prefer("stop"), 200);
  expect(await addresses()).toContain(address);
  must(await prefer("resume"), 200);
  expect(await addresses()).not.toContain(address);
  if (address.startsWith("IN.")) return;
  await company.make("/settings/:company/optouts", { channel: "chatapp", address });
  must(await prefer("resume"), 200);
  expect(await addresses()).toContain(address);
});

const ACCOUNT_FIELDS = [
  ...["account_alerts", "account_review_update", "account_update", "business_capability_update"],
  ...["message_template_quality_update", "message_template_status_update", "phone_number_name_update"],
  ...["phone_number_quality_update", "security", "template_category_update"],
];

test("a company's own app gets 200 for each of its fields, and for numbers that are not here", async () => {
  for (const field of ACCOUNT_FIELDS) {
    const entry = [{ id: "1", changes: [{ field, value: { event: "APPROVED" } }] }];
    const body = JSON.stringify({ object: "whatsapp_business_account", entry });
    expect((await post(body, secret)).status, field).toBe(200);
  }
  const elsewhere = bodyOf({
    number: String(randomInt(1e11, 1e12)),
    messages: [{ id: "wamid.x", from: newNumber() }],
  });
  expect((await post(elsewhere, secret)).status).toBe(200);
  // What does concern a company stays refused unless a secret of its own or the platform's fits.
  const id = accepted(await sendChatapp(company, { to: newNumber() }));
  const forged = bodyOf({ number, statuses: [{ id: "wamid.y", status: "read", data: `1:${id}` }] });
  expect((await post(forged, "another")).status).toBe(401);
});
