import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { must, openCompany } from "../../../support/company.ts";
import { accepted, arrived, connect, newNumber, readMessage, sendChatapp } from "../provider.ts";
import { bodyOf, numberOf, post, sent } from "./chatapp-callback.ts";

const newUser = () => `IN.${randomInt(1e12, 1e13)}`;
const TEXT = { type: "text", text: { body: "Hello" } };
const company = await openCompany();
const provider = await connect(company, "meta");
const number = numberOf(provider);
const secret = String(provider.config.app_secret);

const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1_000) - seconds);
let written = 0;
const write = async (said: object, text = "STOP", contacts?: object[]) => {
  written += 1;
  const id = `wamid.${number}.${written}`;
  const message = { id, timestamp: secondsAgo(0), type: "text", text: { body: text }, ...said };
  const body = JSON.parse(bodyOf({ number, messages: [message] }));
  body.entry[0].changes[0].value.contacts = contacts;
  must(await post(JSON.stringify(body)), 200);
  return id;
};
const prefer = async (whom: object, value: string, timestamp = secondsAgo(0)) => {
  const body = JSON.parse(bodyOf({ number }));
  body.entry[0].changes[0].field = "user_preferences";
  body.entry[0].changes[0].value.user_preferences = [
    { ...whom, category: "marketing_messages", value, timestamp },
  ];
  must(await post(JSON.stringify(body)), 200);
};
const inbox = (query: string) =>
  company.read<Record<string, unknown>[]>(`/messaging/:company/inbound?${query}`);
const OPTOUTS = "/settings/:company/optouts";
type Optout = { address: string; e164: string | null };
const optouts = async () =>
  (await company.read<Optout[]>(`${OPTOUTS}?limit=100`)).map(({ address, e164 }) => [address, e164]);
const isOptedOut = async (who: string) => (await optouts()).some(([address]) => address === who);
const listByHand = (address: string) => company.make(OPTOUTS, { channel: "chatapp", address });
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
    await write({ ...by(silent), timestamp: secondsAgo(24 * 3_600 + 1) }, "Hello?");
    expect(await sendTo(silent)).toMatchObject({ warnings: ["outside_window"] });
  },
);

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

test("START in answer ends what STOP in answer began, of the number too, and not what staff listed", async () => {
  const [own, listed] = [await sent(company), await sent(company)];
  const numbers = [];
  for (const { id } of [own, listed]) numbers.push(String((await readMessage(company, id)).to));
  const user = newUser();
  await listByHand(numbers[1] ?? "");
  for (const { wamid } of [own, listed])
    for (const word of ["STOP", "START"]) await write({ from_user_id: user, context: { id: wamid } }, word);
  expect(await Promise.all([user, ...numbers].map(isOptedOut))).toEqual([false, false, true]);
  // By another person's id it says nothing of the number.
  await write({ from_user_id: user, context: { id: own.wamid } });
  await write({ from_user_id: newUser() }, "START");
  expect(await isOptedOut(numbers[0] ?? "")).toBe(true);
});

test.each([
  ["a number", () => ({ wa_id: newNumber() })],
  ["a user id", () => ({ user_id: newUser() })],
])("`stop` of a preference is an opt-out of %s, `resume` ends it, and one by hand stays", async (_, by) => {
  const whom = by();
  const address = Object.values(whom)[0] ?? "";
  await prefer(whom, "stop");
  expect(await isOptedOut(address)).toBe(true);
  await prefer(whom, "resume");
  expect(await isOptedOut(address)).toBe(false);
  await listByHand(address);
  await prefer(whom, "resume");
  expect(await isOptedOut(address)).toBe(true);
});

const isBlocked = async (to: string) => {
  const { error } = await readMessage(company, accepted(await sendChatapp(company, { to })));
  return error?.code === "not_opted_in";
};

test.each([
  [true, "resume 100, stop 50, resume 100"],
  [true, "stop 50, resume 100"],
  [true, "STOP 50, START 100"],
  [true, "STOP 50, resume 100"],
  [true, "stop 200, STOP 50, START 100"],
  [true, "STOP 50, stop 200, resume 100"],
  [false, "stop 100, resume 50"],
  [false, "STOP 100, START 50, START 70"],
])(
  "a wish ends no newer one, whichever callback comes first: opted out %s by %s seconds ago",
  async (out, said) => {
    const user_id = newUser();
    for (const one of said.split(", ")) {
      const [word = "", ago] = one.split(" ");
      const timestamp = secondsAgo(Number(ago));
      if (word === word.toLowerCase()) await prefer({ user_id }, word, timestamp);
      else await write({ from_user_id: user_id, timestamp }, word);
    }
    expect(await isOptedOut(user_id)).toBe(out);
  },
);

test("a wish is of both ids that a callback names", async () => {
  const [user, parent, from] = [newUser(), newUser().replace("IN.", "IN.ENT."), newNumber()];
  const both = { from, from_user_id: user, from_parent_user_id: parent };
  const blocked = () => Promise.all([from, user, parent].map(isBlocked));
  await write(both, "Hello");
  expect(await sendTo(user)).not.toHaveProperty("warnings");
  await write(both);
  expect(await blocked()).toEqual([true, true, true]);
  await write(both, "START");
  expect(await blocked()).toEqual([false, false, false]);
  await prefer({ wa_id: from, user_id: user, parent_user_id: parent }, "stop");
  expect(await blocked()).toEqual([true, true, true]);
});

test.each([
  ["the only contact", (user: string) => [{ user_id: user }], {}],
  [
    "the contact of its number",
    (user: string, from: string) => [{ user_id: newUser() }, { wa_id: from, user_id: user }],
    null,
  ],
])("a message is also of the ids of %s", async (_, contacts, said) => {
  const [user, from] = [newUser(), newNumber()];
  await write(said ?? { from }, "STOP", contacts(user, from));
  expect(await isOptedOut(user)).toBe(true);
  expect(await inbox(`from=${said === null ? from : user}`)).toHaveLength(1);
});

test("a message that names no one is of none of two contacts", async () => {
  const users = [newUser(), newUser()];
  await write(
    {},
    "STOP",
    users.map((user_id) => ({ user_id })),
  );
  expect(await Promise.all(users.map(isOptedOut))).toEqual([false, false]);
});

test.each(["in.9198", "IN_9198", "X.9198", "IN.9198.", "ब.9198"])(
  "an id of another form (%s…) is no number",
  async (start) => {
    const from = start + String(randomInt(1e7, 1e8));
    await write({ from });
    expect(await inbox(`from=${encodeURIComponent(from)}`)).toMatchObject([
      { from, from_e164: null, customer_id: null },
    ]);
    expect(await optouts()).toContainEqual([from, null]);
    expect(await isOptedOut(from.replace(/\D/g, ""))).toBe(false);
  },
);

test.each([
  ["user_changed_user_id", false],
  ["user_changed_number", true],
])("%s: an opt-out follows to the new ids, with who listed it", async (type, isNumber) => {
  const [from, user] = [newNumber(), newUser()];
  const [wa_id, user_id] = [newNumber(), newUser()];
  const system = { type, previous_user_id: user, user_id, ...(isNumber ? { wa_id } : {}) };
  const change = { type: "system", system, text: undefined, ...(isNumber ? { from } : {}) };
  await write(change);
  expect(await isOptedOut(user_id)).toBe(false);
  if (isNumber) await listByHand(from);
  else await write({ from_user_id: user });
  await write(change);
  expect(await isOptedOut(user_id)).toBe(true);
  expect(await isOptedOut(wa_id)).toBe(isNumber);
  await write({ from_user_id: user_id }, "START");
  expect(await isOptedOut(user_id)).toBe(isNumber);
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
