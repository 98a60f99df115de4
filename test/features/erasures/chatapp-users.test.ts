import { randomInt } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { newCustomer } from "../commerce.ts";
import { bodyOf, numberOf, post } from "../messaging/callbacks/chatapp-callback.ts";
import { accepted, connect, newNumber, readMessage, sendChatapp } from "../messaging/provider.ts";
import { erase, found, postErasure } from "./person.ts";

const newUser = (start = "IN.") => `${start}${randomInt(1e12, 1e13)}`;
let company: TestCompany;
let number: string;
beforeAll(async () => {
  company = await openCompany();
  number = numberOf(await connect(company, "meta"));
});

let written = 0;
async function write(said: object, text = "Is it ready?"): Promise<void> {
  written += 1;
  const id = `wamid.${number}.${written}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const message = { id, timestamp, type: "text", text: { body: text }, ...said };
  must(await post(bodyOf({ number, messages: [message] })), 200);
}
const sendTo = async (to: string) =>
  accepted(await sendChatapp(company, { to, type: "text", text: { body: `For ${to}` } }));
const optouts = () => company.rows("SELECT address FROM contact_optouts");

test("a person who hides the number is erased by the user id, and an opt-out still stops messages", async () => {
  const [user, other] = [newUser(), newUser()];
  for (const from_user_id of [user, other]) await write({ from_user_id });
  const sent = await sendTo(user);
  await write({ from_user_id: user }, "STOP");
  const { erased, person_hash } = await erase(company, { chatapp_user: user });
  expect(erased).toMatchObject({ inbound: 2, messages: 1, optouts: 1 });
  expect(await readMessage(company, sent)).toMatchObject({ to: "erased" });
  expect(await found(company, user)).toEqual([]);
  const later = await sendTo(user);
  await expect.poll(async () => (await readMessage(company, later)).error?.code).toBe("not_opted_in");
  expect(await found(company, other)).toEqual(
    expect.arrayContaining(["chatapp_windows.phone", "inbound_messages.sender"]),
  );
  expect((await erase(company, { chatapp_user: user })).person_hash).toBe(person_hash);
  expect(await optouts()).toEqual([{ address: "erased" }]);
  await write({ from_user_id: user }, "START");
  expect(await optouts()).toEqual([]);
});

test.each(["phone", "chatapp_user", "parent", "customer_id"])(
  "all ids that earlier messages named a person by are followed: erased by the %s",
  async (by) => {
    const [digits, user, parent] = [newNumber(), newUser(), newUser("IN.ENT.")];
    await write({ from: digits }, "By number");
    await write({ from: digits, from_user_id: user, from_parent_user_id: parent }, "STOP");
    await write({ from_user_id: user }, "By user id");
    await write({ from_user_id: parent }, "By parent");
    for (const to of [digits, user]) await sendTo(to);
    const phone = `+${digits}`;
    const { id } = await newCustomer(company, { phone });
    const named = { phone: { phone }, customer_id: { customer_id: Number(id) } }[by];
    const { erased } = await erase(company, named ?? { chatapp_user: by === "parent" ? parent : user });
    expect(erased).toMatchObject({ customers: 1, inbound: 4, messages: 2, optouts: 3 });
    expect(await found(company, digits, user, parent)).toEqual([]);
  },
);

test("a user id that took the place of another leads to what stands under that", async () => {
  const [former, user_id] = [newUser(), newUser()];
  await write({ from_user_id: former });
  await write({ type: "system", system: { previous_user_id: former, user_id }, text: undefined });
  await write({ from_user_id: user_id });
  expect((await erase(company, { chatapp_user: user_id })).erased.inbound).toBe(3);
  expect(await found(company, former, user_id)).toEqual([]);
});

test("a number that became another's no longer leads to who had it", async () => {
  const [digits, former, next] = [newNumber(), newUser(), newUser()];
  for (const from_user_id of [former, next]) await write({ from: digits, from_user_id });
  await write({ from_user_id: former }, "From the former");
  expect((await erase(company, { chatapp_user: former })).erased.inbound).toBe(1);
  await write({ from_user_id: former }, "From the former");
  expect((await erase(company, { chatapp_user: next })).erased.inbound).toBe(2);
  expect(await found(company, former)).not.toEqual([]);
});

test("what is no user id is refused", async () => {
  for (const chatapp_user of ["919845012345", "in.123", "IN.1/2", ""]) {
    const { status, body } = await postErasure(company, { chatapp_user });
    expect([status, JSON.stringify(body)], chatapp_user).toEqual([
      422,
      expect.stringContaining("chatapp_user"),
    ]);
  }
});
