import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { newAddress, received } from "../messaging/provider.ts";
import { logOf, onlyRules, setNotifications, settledLines } from "./notified.ts";

const PROFILE = "/settings/:company/profile";
const INSTRUCTORS = "/settings/:company/instructors";
const PROVIDERS = "/settings/:company/messaging-providers";
const NOTIFICATIONS = "/settings/:company/notifications";
const priya = { name: "Priya", transmission: "auto" };
const reply = {
  url: "https://mail.example.com/send",
  from_email: "a@school.example",
  reply_to: "x@mail.example",
};
const provider = { channel: "email", kind: "http", config: reply };

/** The notices that came to an address of another one in its place. */
const noticesAt = async (address: string) =>
  (await received(address)).filter(({ subject }) => subject?.includes("go to another address"));
const noticed = (address: string) => expect.poll(() => noticesAt(address)).toHaveLength(1);

async function made(company: Awaited<ReturnType<typeof openCompany>>, path: string, body: object) {
  const { id } = await company.make<{ id: string | number }>(path, body);
  return `${path}/${id}`;
}

// Each with what the key must hold besides settings:write, in the order in which it is missed.
const DOORS: Record<string, [string, string, object, string[]]> = {
  "the profile's e-mail address": [
    "PATCH",
    PROFILE,
    { email: "x@mail.example" },
    ["settings:read", "orders:read", "orders:write"],
  ],
  "the profile's phone number": [
    "PATCH",
    PROFILE,
    { phone: "9876543210" },
    ["settings:read", "orders:read", "orders:write"],
  ],
  "an instructor's e-mail address": ["PATCH", INSTRUCTORS, { email: "x@mail.example" }, ["settings:read"]],
  "an instructor's phone number": ["PATCH", INSTRUCTORS, { phone: null }, ["diary:read"]],
  "the e-mail address of a new instructor": [
    "POST",
    INSTRUCTORS,
    { ...priya, email: "x@mail.example" },
    ["diary:read"],
  ],
  "the account that mails go through": ["POST", PROVIDERS, provider, ["messages:read", "orders:write"]],
  "the address that answers to mails go to": [
    "PATCH",
    PROVIDERS,
    { config: reply },
    ["messages:read", "orders:write"],
  ],
  "the receivers of new leads and requests": [
    "PATCH",
    NOTIFICATIONS,
    { company_recipients: ["x@mail.example"] },
    ["settings:read", "orders:read", "orders:write"],
  ],
};

test.each(Object.entries(DOORS))(
  "%s is changed by a key that may read what it receives",
  async (_door, [method, collection, body, scopes]) => {
    const company = await openCompany();
    const records: Record<string, object> = { [INSTRUCTORS]: priya, [PROVIDERS]: provider };
    const record = method === "PATCH" ? records[collection] : undefined;
    const path = record === undefined ? collection : await made(company, collection, record);
    const change = async (...held: string[]) =>
      company.call(method, path, { key: await company.key("settings:write", ...held), body });
    for (const [place, scope] of scopes.entries()) {
      const answer = await change(...scopes.slice(0, place));
      expect(answer).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
      const missed = scope === "diary:read" ? "settings:read" : scope;
      expect(answer.body).toMatchObject({ required_scope: missed });
    }
    must(await change(...scopes), method === "POST" ? 201 : 200);
  },
);

test("what does not divert a notification needs settings:write alone", async () => {
  const company = await openCompany();
  const key = await company.key("settings:write");
  const instructor = await made(company, INSTRUCTORS, priya);
  const mailer = await made(company, PROVIDERS, provider);
  must(await company.call("PATCH", PROFILE, { key, body: { address: "1 MG Road" } }), 200);
  must(await company.call("POST", INSTRUCTORS, { key, body: priya }), 201);
  must(await company.call("PATCH", instructor, { key, body: { bio: "Calm" } }), 200);
  must(await company.call("PATCH", mailer, { key, body: { is_active: false } }), 200);
  must(await company.call("PATCH", NOTIFICATIONS, { key, body: { daily_cap: 10 } }), 200);
});

test("the address that the profile had gets a notice, whatever is turned off, and how small the cap", async () => {
  const old = newAddress();
  const company = await openCompany({ email: old });
  await onlyRules(company, {});
  await setNotifications(company, { daily_cap: 0 });
  const next = newAddress();
  await company.change(PROFILE, { email: next });
  await noticed(old);
  await company.change(PROFILE, { email: next.toUpperCase(), address: "1 MG Road" });
  expect(await settledLines(company)).toEqual(["receiver_changed email former sent"]);
  expect(await logOf(company, "rule=receiver_changed")).toMatchObject([
    { resource: "receiver", record_id: "profile" },
  ]);
  expect(await noticesAt(next)).toEqual([]);
});

test("a changed phone number is noticed at the e-mail address beside it, also of an instructor", async () => {
  const [office, teacher] = [newAddress(), newAddress()];
  const company = await openCompany({ email: office });
  const path = await made(company, INSTRUCTORS, { ...priya, email: teacher, phone: "9845012345" });
  await company.change(PROFILE, { phone: "9876543210" });
  await company.change(path, { phone: "9876543210" });
  for (const address of [office, teacher]) await noticed(address);
  expect(await settledLines(company)).toEqual(Array(2).fill("receiver_changed email former sent"));
});

test("an instructor's old address gets one notice an hour, however often it changes", async () => {
  const old = newAddress();
  const company = await openCompany();
  const path = await made(company, INSTRUCTORS, { ...priya, email: old });
  for (const email of [newAddress(), old, null]) await company.change(path, { email });
  await noticed(old);
  expect(await settledLines(company)).toHaveLength(2);
});

test("those who are no longer among the company's receivers get a notice, and those who stay get none", async () => {
  const [profile, stays, leaves] = [newAddress(), newAddress(), newAddress()];
  const company = await openCompany({ email: profile });
  await setNotifications(company, { company_recipients: [stays, leaves] });
  await noticed(profile);
  await setNotifications(company, { company_recipients: [stays] });
  await noticed(leaves);
  expect(await settledLines(company)).toHaveLength(2);
  expect(await noticesAt(stays)).toEqual([]);
});

test("an erased person's address is not kept as one that was changed", async () => {
  const old = newAddress();
  const company = await openCompany({ email: old });
  await company.change(PROFILE, { email: newAddress() });
  await noticed(old);
  await settledLines(company, "rule=setting_changed");
  await company.make("/settings/:company/erasures", { email: old });
  expect(await company.rows("SELECT id FROM notifications WHERE address IS NOT NULL")).toEqual([]);
  await expect.poll(() => company.rows("SELECT id FROM setting_changes")).toEqual([]);
});
