import { describe, expect, test } from "vitest";
import { invoiceMail } from "../../../src/features/invoices/invoices/invoice-mail.ts";
import { messageOf } from "../../../src/features/notifications/send/message.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { untilQuiet } from "../../support/round-trips.ts";
import { captured } from "../leads/leads.ts";
import { arrived, newAddress } from "../messaging/provider.ts";
import { adjust, newProduct } from "../money.ts";
import { book, openSchool, type School, STUDENT, SYDNEY, setRules } from "../school.ts";
import { confirmed, dueOf, EMAIL, mailsTo, reachable, schoolWith, staff, WHEN } from "./lesson-mails.ts";
import { dueAt, logOf, onlyRules, runJob } from "./notified.ts";

const HOUR = 3_600_000;

/** The subject and the content of the mail of a rule. */
async function mailBy(company: TestCompany, rule: string) {
  const sql = "SELECT details ->> '$.subject' AS subject, content FROM messages WHERE rule = ?";
  const [mail] = await company.rows(sql, rule);
  return { subject: mail?.subject, content: String(mail?.content) };
}

/** A date as English mails write it. */
const written = (date: string) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" })
    .format(new Date(date))
    .replace(" at ", ", ");

async function bookedIn(school: School, language: string): Promise<string> {
  const email = newAddress();
  await book(school, { ...WHEN, customer: { ...STUDENT, email, language } });
  return email;
}

test("a subject that is too long ends with an ellipsis: of a notification, and of an invoice", async () => {
  const name = "a".repeat(300);
  const mail = await messageOf(
    { company: { country: "AU" } } as never,
    {
      ...{ channel: "email", rule: "lead_created", values: { "lead.name": name } },
      recipients: [{ name: null, email: "office@asha.example", phone: null }],
      text: { own: null, usual: { subject: "From {{lead.name}}", html: "<p>x</p>" } },
    } as never,
  );
  expect(mail).toMatchObject({ details: { subject: `From ${"a".repeat(249)}…` } });
  const { subject } = invoiceMail({
    customerName: "",
    url: "",
    dueDate: "",
    invoiceNumber: "1",
    company: name,
    currency: "INR",
    message: "",
  } as never);
  expect(subject).toMatch(/^Invoice 1 from a{239}…$/);
});

describe("who books in a language is written to in it", () => {
  test("where it is one of ours, with the link to the page in it", async () => {
    const school = await schoolWith({ booking_requested: { ...EMAIL, audience: ["customer"] } });
    const { html, text } = await arrived(await bookedIn(school, "hi-IN"));
    expect(text).toContain("नमस्ते");
    expect(html).toMatch(/\/b\/[^"]+\?lang=hi"/);
    const path = "/customers/:company";
    const [customer] = must(await school.company.call<{ language: string }[]>("GET", path), 200).body.data;
    expect(customer?.language).toBe("hi");
  });

  test("and as the company writes where it is none of ours", async () => {
    const school = await schoolWith({ booking_requested: { ...EMAIL, audience: ["customer"] } });
    expect((await arrived(await bookedIn(school, "ta-IN"))).text).toContain("Dear Mia Chen");
  });

  test("but a customer who is known keeps the language that the company set", async () => {
    const school = await schoolWith({ booking_requested: { ...EMAIL, audience: ["customer"] } });
    const email = await bookedIn(school, "hi");
    await arrived(email);
    const customer = { ...STUDENT, email, language: "en-AU" };
    await book(school, { ...WHEN, start_time: "14:00", customer });
    const [latest] = (await mailsTo(email, 2)).slice(-1);
    expect(latest?.text).toContain("नमस्ते");
  });
});

describe("the e-mail of a lesson", () => {
  test("that moves names its time before, to the customer and to the instructor", async () => {
    const school = await schoolWith({ booking_moved: EMAIL });
    const [email, teacher] = [newAddress(), await reachable(school)];
    const { id } = await confirmed(school, email);
    await staff(school, `/${id}/reschedule`, { ...WHEN, start_time: "15:00" });
    const before = `It was: ${written(WHEN.booking_date)}, 10:00`;
    const mail = await arrived(email);
    expect(mail.text).toContain(before);
    expect(mail.text).toContain("It is not paid yet.");
    const teachers = await arrived(teacher);
    expect(teachers.text).toContain(before);
    expect(teachers.text).toContain("Phone: ");
    expect(teachers.text).not.toContain("paid");
  });

  test("that has no place does not speak of one", async () => {
    const school = await schoolWith({ booking_confirmed: EMAIL });
    const email = newAddress();
    await confirmed(school, email);
    const { html } = await arrived(email);
    expect(html).not.toContain("Place");
    expect(html).toContain("Instructor: Priya Raman");
  });

  test.each([
    ["en", /\nWe have received your payment of [^ ]*75\.00\.\n/],
    ["hi", /\n[^ ]*75\.00 का भुगतान मिल गया है।\n/],
  ])("that was paid names what was paid when it is confirmed, in %s", async (language, sentence) => {
    const school = await schoolWith({ booking_confirmed: { ...EMAIL, audience: ["customer"] } });
    const [paid, unpaid] = [newAddress(), newAddress()];
    const by = (email: string) => ({ customer: { ...STUDENT, email, language } });
    await confirmed(school, paid, { ...by(paid), payment_status: "paid" });
    await confirmed(school, unpaid, { ...by(unpaid), start_time: "15:00" });
    expect((await arrived(paid)).text).toMatch(sentence);
    expect((await arrived(unpaid)).text).not.toContain("75.00");
  });

  test("that was paid says that the money comes back when it is cancelled", async () => {
    const school = await schoolWith({ booking_cancelled: { ...EMAIL, audience: ["customer"] } });
    const email = newAddress();
    const { id } = await confirmed(school, email, { payment_status: "paid" });
    await staff(school, `/${id}/cancel`, {});
    expect((await arrived(email)).text).toMatch(/We will pay .*75\.00 back to you\./);
  });

  test("that is held until tomorrow names the day, and the time, by which it must be paid", async () => {
    const school = await openSchool(SYDNEY);
    await setRules(school.company, { hold_minutes: 1_440 });
    await onlyRules(school.company, {});
    const { body } = await book(school, { ...WHEN, start_time: "11:00" });
    await school.company.rows(
      "UPDATE bookings SET hold_expires_at = ? WHERE id = ?",
      Date.parse("2037-06-03T02:30Z"),
      body.booking.id,
    );
    const now = Date.parse("2037-06-03T00:00Z");
    await onlyRules(school.company, { booking_held: EMAIL });
    await dueAt(school.company, now, dueOf("booking_held", body.booking));
    await runJob(school.company, { now, country: "AU", timezone: "Australia/Sydney" });
    const { content } = await mailBy(school.company, "booking_held");
    expect(content).toContain("until Wednesday, 3 June 2037, 12:30");
    expect(content).toContain("Please pay A$75.00 before that:");
  });
});

describe("a notification to the company about a person", () => {
  test("says how to reach who wrote, and leaves out what they did not give", async () => {
    const email = newAddress("office");
    const company = await openCompany({ email });
    await onlyRules(company, { lead_received: EMAIL });
    await captured(company, {
      name: "Mia Chen",
      email: "mia@example.com",
      message: "Do you teach on Sundays?",
    });
    const { text } = await arrived(email);
    expect(text).toContain("mia@example.com");
    expect(text).not.toContain("Phone");
  });

  test("says at the hour's end how much more came to open leads, by their numbers", async () => {
    const company = await openCompany({ email: "office@asha.example" });
    await onlyRules(company, { lead_received: EMAIL, lead_repeated: EMAIL });
    const { id, lead_number } = await captured(company, { email: "mia@example.com", message: "Hello" });
    for (const message of ["Are you there?", "Please call"])
      expect(await captured(company, { email: "MIA@example.com", message })).toMatchObject({
        id,
        duplicate: true,
      });
    const lines = async () =>
      (await logOf(company)).map(({ rule, count, record_id }) => [rule, count, record_id]);
    expect(await lines()).toEqual([
      ["lead_received", 1, String(id)],
      ["lead_repeated", 2, null],
    ]);
    // A job that runs would be left to send this one too.
    await untilQuiet(company);
    await runJob(company, { now: Math.ceil(Date.now() / HOUR) * HOUR });
    const { subject, content } = await mailBy(company, "lead_repeated");
    expect(subject).toBe("More messages of open enquiries: 2");
    expect(content).toContain(`<p>${lead_number}</p>`);
    // It outlasts the erasure of those who wrote.
    expect(content).not.toMatch(/Rohan|mia@/i);
  });

  test("names at the hour's end what it counts, each once", async () => {
    const company = await openCompany({ email: "office@asha.example" });
    await onlyRules(company, { stock_low: EMAIL });
    const stocked = { track_stock: true, opening_stock: 9, low_stock_threshold: 3 };
    for (const name of ["Helmet", "Gloves"]) {
      const { id } = await newProduct(company, { name, ...stocked });
      for (const adjustment_type of ["decrease", "increase", "decrease"])
        must(await adjust(company, id, { adjustment_type, quantity: 6, reason: "Counted" }), 201);
    }
    const [row] = await logOf(company);
    expect(Date.parse(row?.due_at ?? "") % HOUR).toBe(0);
    await runJob(company, { now: Math.ceil(Date.now() / HOUR) * HOUR });
    const { content } = await mailBy(company, "stock_low");
    expect(content).toContain("<p>Helmet, Gloves</p>");
    expect(content).toContain(": 4 since");
  });
});
