import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getCustomer, newCustomer } from "../commerce.ts";
import { applied, newJob } from "../hiring.ts";
import { captured, LEADS } from "../leads/leads.ts";
import {
  accepted,
  openWith,
  readMessage,
  sendChatapp,
  sendEmail,
  sendSms,
  until,
} from "../messaging/provider.ts";
import {
  erase,
  everywhere,
  found,
  inMessages,
  OPTOUTS,
  openInbox,
  openSchool,
  SUPPRESSIONS,
} from "./person.ts";

const ZARINA = {
  name: "Zarina Quadri",
  email: "zarina@mail.example",
  digits: "919845067812",
  national: "9845067812",
};
// Of the same name, in Britain, with the same last nine digits.
const STRANGER = {
  ...ZARINA,
  email: "zarina@other.example",
  digits: "447845067812",
  national: "+447845067812",
};

test("a stranger of the same name, whose number in another country ends alike, is left as they are, in every table", async () => {
  const school = await openSchool();
  const { company } = school;
  const strange = await everywhere(school, STRANGER);
  await inMessages(company, { ...STRANGER, national: STRANGER.digits });
  const tables = [
    ...["customers", "leads", "lead_submissions", "applications", "bookings", "sales_orders", "messages"],
    ...["message_recipients", "inbound_messages", "contact_optouts", "email_suppressions", "chatapp_windows"],
    ...["accounts", "invoices", "payments", "operations", "events"],
  ];
  const rows = () => Promise.all(tables.map((table) => company.rows(`SELECT * FROM ${table}`)));
  const before = await rows();
  const { erased } = await erase(company, { email: ZARINA.email, phone: ZARINA.national });
  expect(Object.values(erased).filter((count) => count > 0)).toEqual([]);
  const after = await rows();
  for (const [place, table] of tables.entries()) {
    // The erasure's own row of each.
    const own = table === "operations" || table === "events" ? 1 : 0;
    expect(after[place], table).toHaveLength((before[place]?.length ?? 0) + own);
    expect(after[place], table).toEqual(expect.arrayContaining(before[place] ?? []));
  }
  expect(must(await getCustomer(company, strange.billed.id), 200).body.data.email).toBe(STRANGER.email);
}, 60_000);

describe("a person is found", async () => {
  const company = await openCompany();

  test("by a customer's last nine digits where that number has no country", async () => {
    const home = await newCustomer(company, { phone: "012-345 678" });
    const abroad = await newCustomer(company, { phone: "+44 7012 345678" });
    const { erased } = await erase(company, { phone: "9012345678" });
    expect(erased.customers).toBe(1);
    expect((await getCustomer(company, home.id)).status).toBe(404);
    expect((await getCustomer(company, abroad.id)).status).toBe(200);
  });

  test("by the only number of a customer, not by one of several", async () => {
    const both = await newCustomer(company, { phone: "98450 67821 / 98450 67822" });
    const whole = await newCustomer(company, { phone: "98450 67822 ext 5" });
    expect((await erase(company, { phone: "9845067822" })).erased.customers).toBe(1);
    expect((await getCustomer(company, both.id)).status).toBe(200);
    expect((await getCustomer(company, whole.id)).status).toBe(404);
    expect((await erase(company, { customer_id: Number(both.id) })).erased.customers).toBe(1);
  });

  test("by a lead, with what its e-mail address and its number find, which the answer does not show", async () => {
    const lead = await captured(company, { email: "ravi@mail.example", phone: "+919845011111" });
    const { slug } = await newJob(company);
    await applied(company, slug, { email: "Ravi@mail.example" });
    const customer = await newCustomer(company, { phone: "098450 11111" });
    const answer = await erase(company, { lead_id: lead.id });
    expect(answer.erased).toMatchObject({ leads: 1, applications: 1, customers: 1 });
    expect(JSON.stringify(answer)).not.toMatch(/ravi|11111/i);
    expect((await getCustomer(company, customer.id)).status).toBe(404);
    expect((await company.call("GET", `${LEADS}/${lead.id}`)).status).toBe(404);
    const byEmail = await erase(company, { email: "ravi@mail.example" });
    expect(byEmail.person_hash).not.toBe(answer.person_hash);
  });

  test("by an application, and by a customer who was deleted before", async () => {
    const { slug } = await newJob(company, { title: "Fitter" });
    const { id } = await applied(company, slug, { email: "sita@mail.example", phone: "+91 98450 22222" });
    await captured(company, { name: "Sita", email: undefined, phone: "9845022222" });
    expect((await erase(company, { application_id: id })).erased).toMatchObject({
      applications: 1,
      leads: 1,
    });
    const customer = await newCustomer(company, { name: "Omar Lal", email: "omar@mail.example" });
    must(await company.call("DELETE", `/customers/:company/${customer.id}`), 200);
    expect(await found(company, "omar")).not.toEqual([]);
    expect((await erase(company, { customer_id: customer.id })).erased.customers).toBe(1);
    expect(await found(company, "omar")).toEqual([]);
    await expectSound(company);
  });
});

describe("a message", async () => {
  const company = await openWith("msg91", "meta");
  const later = () => new Date(Date.now() + 86_400_000).toISOString();

  test("that waits is not sent any more", async () => {
    const id = accepted(await sendSms(company, { to: "919845033333", send_at: later() }));
    expect((await erase(company, { phone: "9845033333" })).erased.messages).toBe(1);
    expect(await readMessage(company, id)).toMatchObject({
      ...{ status: "failed", to: "erased", error: { code: "cancelled" } },
    });
    const open = "SELECT 1 FROM message_recipients WHERE dispatch_state = 'pending'";
    expect(await company.rows(`${open} UNION ALL SELECT 1 FROM messages WHERE is_scheduled = 1`)).toEqual([]);
    await expectSound(company);
  });

  test("that others wait for too still goes to them, and is named as kept", async () => {
    const to = ["uma@mail.example", "other@mail.example"];
    const id = accepted(await sendEmail(company, { to, subject: "For both", send_at: later() }));
    const { erased, kept } = await erase(company, { email: "UMA@mail.example" });
    expect(erased.messages).toBe(1);
    expect(kept.map(({ what }) => what)).toContain("messages");
    expect(await readMessage(company, id)).toMatchObject({
      status: "sent",
      to: ["erased", "other@mail.example"],
    });
    expect(
      await company.rows("SELECT content IS NOT NULL AS kept, is_scheduled FROM messages WHERE id = ?", id),
    ).toEqual([{ kept: 1, is_scheduled: 1 }]);
  });

  test("is found by each channel's own way to write a number", async () => {
    // The chat-app reads these ten digits as a number of Iran.
    const strange = accepted(await sendChatapp(company, { to: "9845044444" }));
    const theirs = accepted(await sendChatapp(company, { to: "919845044444" }));
    expect((await erase(company, { phone: "9845044444" })).erased.messages).toBe(1);
    expect(await readMessage(company, strange)).toMatchObject({ to: "9845044444" });
    expect(await readMessage(company, theirs)).toMatchObject({ to: "erased" });
  });
});

test("an opt-out and a suppression stay after the person's erasure, and START ends the opt-out", async () => {
  const company = await openWith("msg91");
  const write = await openInbox(company);
  await write("919845055555", "STOP");
  const byHand = { channel: "sms", address: "9845066666" };
  must(await company.call("POST", OPTOUTS, { body: byHand }), 201);
  must(await company.call("POST", SUPPRESSIONS, { body: { email: "vani@mail.example" } }), 201);
  await erase(company, { phone: "9845055555", email: "vani@mail.example" });
  await erase(company, { phone: "9845066666" });
  expect(await found(company, "9845055555", "9845066666", "vani")).toEqual([]);
  const listed = must(await company.call<object[]>("GET", OPTOUTS), 200).body.data;
  expect(listed).toMatchObject([
    { address: "erased", e164: null, source: "manual" },
    { address: "erased", e164: null, source: "inbound" },
  ]);
  expect(must(await company.call("GET", SUPPRESSIONS), 200).body.data).toMatchObject([{ email: "erased" }]);

  const statusOf = async (to: string, status: string) =>
    (await until(company, accepted(await sendSms(company, { to })), status)).error?.code ?? null;
  expect(await statusOf("09845055555", "rejected")).toBe("not_opted_in");
  expect(await statusOf("919845066666", "rejected")).toBe("not_opted_in");
  expect(await statusOf("447845055555", "submitted")).toBeNull();
  const mail = accepted(await sendEmail(company, { to: "Vani@mail.example" }));
  expect((await until(company, mail, "failed")).error?.code).toBe("suppressed");

  await write("919845055555", "START");
  expect(await statusOf("919845055555", "submitted")).toBeNull();
  // START does not take back what was listed by hand.
  await write("919845066666", "START");
  expect(await statusOf("919845066666", "rejected")).toBe("not_opted_in");
}, 60_000);
