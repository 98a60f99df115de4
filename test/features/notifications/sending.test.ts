import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { arrived, connect, newAddress, received } from "../messaging/provider.ts";
import { newProduct } from "../money.ts";
import { book, daysAhead, newBooking, newInstructor, openSchool, type School, STUDENT } from "../school.ts";
import { linesOf, logOf, onlyRules, runJob, setNotifications, settledLines } from "./notified.ts";

const WHEN = { booking_date: daysAhead(7), start_time: "10:00" };
const EMAIL = { channels: { email: true } };
const SMS = { channels: { sms: true } };
const HOUR = 3_600_000;

async function bookedBy(school: School, fields: object = {}) {
  const customer = { ...STUDENT, email: newAddress(), ...fields };
  const { body } = await book(school, { ...WHEN, customer });
  return { booking: body.booking, email: customer.email };
}

async function staff(company: TestCompany, path: string, body: object) {
  return must(
    await company.call("POST", `/settings/:company/bookings${path}`, { body }),
    path === "" ? 201 : 200,
  );
}

async function messagesOf(
  company: TestCompany,
  query: string,
): Promise<{ rule: string | null; source: string }[]> {
  return must(await company.call<[]>("GET", `/messaging/:company/messages?${query}`), 200).body.data;
}

/** Puts a due notification where the service's own clock finds nothing: at an instant far ahead. */
async function dueAt(company: TestCompany, instant: number, fields: object = {}): Promise<void> {
  const row = {
    ...{ rule: "lead_received", channel: "email", recipient: "company", resource: "lead", record_id: "1" },
    ...{ occasion: "1", due_at: instant, ...fields },
  };
  await company.database().execute({
    sql: `INSERT INTO notifications (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row).fill("?").join(", ")})`,
    args: Object.values(row),
  });
}

async function withLead(fields: object = {}): Promise<TestCompany> {
  const company = await openCompany({ email: "office@asha.example", ...fields });
  await onlyRules(company, { lead_received: EMAIL });
  await company
    .database()
    .execute(`INSERT INTO leads (lead_number, email_norm, status, source, name, email, phone, submission_count,
    created_at, last_submitted_at, updated_at) VALUES ('L-1', 'mia@example.com', 'new', 'web', 'Mia', 'mia@example.com', NULL, 1, 0, 0, 0)`);
  await company.database().execute("DELETE FROM events");
  return company;
}

const LATER = Date.parse("2037-06-03T05:00Z");

describe("a booking", () => {
  test("brings its customer an e-mail with the address of its own page", async () => {
    const school = await openSchool();
    const { booking, email } = await bookedBy(school);
    const mail = await arrived(email);
    expect(mail.html).toContain(`href="${booking.manage_url}"`);
    expect(await settledLines(school.company)).toEqual([
      "booking_requested email customer sent",
      "booking_requested email company skipped no_address",
    ]);
    expect(await messagesOf(school.company, "source=notification")).toMatchObject([
      { rule: "booking_requested", source: "notification" },
    ]);
    expect(await messagesOf(school.company, "rule=booking_moved")).toEqual([]);
    expect(await messagesOf(school.company, "source=api")).toEqual([]);
    await expectSound(school.company);
  });

  test("that is confirmed tells its instructor too, with the address of its calendar file", async () => {
    const school = await openSchool();
    const [email, teacher] = [newAddress(), newAddress("teacher")];
    const path = `/settings/:company/instructors/${school.instructorId}`;
    must(await school.company.call("PATCH", path, { body: { email: teacher } }), 200);
    const lesson = { instructor_id: school.instructorId, product_id: school.courseId, ...WHEN };
    await staff(school.company, "", { ...lesson, customer: { ...STUDENT, email }, status: "confirmed" });
    expect((await arrived(email)).html).toContain("/booking.ics");
    expect((await arrived(teacher)).text).toContain(STUDENT.name);
  });

  test("that moves to another instructor tells both", async () => {
    const school = await openSchool();
    const { company } = school;
    const [old, fresh] = [newAddress("old"), newAddress("new")];
    const path = `/settings/:company/instructors/${school.instructorId}`;
    const { schedule } = must(await company.call<{ schedule: object[] }>("GET", path), 200).body.data;
    must(await company.call("PATCH", path, { body: { email: old } }), 200);
    const other = await newInstructor(company, { name: "Anil", email: fresh, schedule });
    await onlyRules(company, { booking_moved: EMAIL });
    const { booking } = await bookedBy(school);
    await staff(company, `/${booking.id}/reschedule`, { ...WHEN, instructor_id: other.id });
    await Promise.all([arrived(old), arrived(fresh)]);
  });

  test("that staff change without telling the customer tells nobody but the instructor", async () => {
    const school = await openSchool();
    await onlyRules(school.company, { booking_cancelled: EMAIL });
    const { booking, email } = await bookedBy(school);
    await staff(school.company, `/${booking.id}/cancel`, { notify: false });
    expect(await settledLines(school.company)).toEqual([
      "booking_cancelled email instructor skipped no_address",
    ]);
    expect(await received(email)).toEqual([]);
  });

  test("is told in the language that its customer prefers", async () => {
    const school = await openSchool();
    const { company } = school;
    await onlyRules(company, { booking_requested: { ...EMAIL, audience: ["customer"] } });
    const first = await bookedBy(school);
    await arrived(first.email);
    const [customer] = must(await company.call<{ id: string }[]>("GET", "/customers/:company"), 200).body
      .data;
    must(
      await company.call("PATCH", `/customers/:company/${customer?.id}`, { body: { language: "hi" } }),
      200,
    );
    await book(school, { ...WHEN, start_time: "14:00", customer: { ...STUDENT, email: first.email } });
    await expect.poll(async () => (await received(first.email)).length, { timeout: 20_000 }).toBe(2);
    expect((await received(first.email))[0]?.text).toContain("नमस्ते");
  });

  test("that is cancelled before its confirmation goes out is not confirmed to anybody", async () => {
    const school = await openSchool();
    await onlyRules(school.company, {});
    const booking = await newBooking(school, WHEN);
    const event = {
      rule: "booking_confirmed",
      recipient: "customer",
      resource: "booking",
      record_id: booking.id,
    };
    await onlyRules(school.company, { booking_confirmed: EMAIL });
    await staff(school.company, `/${booking.id}/cancel`, {});
    await dueAt(school.company, LATER, event);
    await runJob(school.company, { now: LATER, country: "AU" });
    expect(await linesOf(school.company)).toEqual(["booking_confirmed email customer skipped no_longer_so"]);
  });
});

describe("a notification", () => {
  test("is one message, however many jobs run at once", async () => {
    const company = await withLead();
    await dueAt(company, LATER);
    await Promise.all(Array.from({ length: 20 }, () => runJob(company, { now: LATER })));
    const { rows } = await company.database().execute("SELECT id FROM messages");
    expect(await logOf(company)).toMatchObject([{ state: "sent", message_id: rows[0]?.id }]);
    expect(rows).toHaveLength(1);
  });

  test("that a crash left after the commit is sent by the clock, once", async () => {
    const school = await openSchool();
    const { company } = school;
    await onlyRules(company, {});
    const { booking, email } = await bookedBy(school);
    await onlyRules(company, { booking_requested: { ...EMAIL, audience: ["customer"] } });
    // As the commit leaves it, and nobody queues a job.
    await dueAt(company, Date.now(), {
      ...{ rule: "booking_requested", recipient: "customer", resource: "booking", record_id: booking.id },
    });
    await company.startSweep();
    await arrived(email);
    await company.startSweep();
    expect(await settledLines(company)).toEqual(["booking_requested email customer sent"]);
    expect(await received(email)).toHaveLength(1);
  });

  test("has one occasion: the same is not written twice, and refuses no effect", async () => {
    const company = await withLead();
    await dueAt(company, LATER);
    await expect(dueAt(company, LATER)).rejects.toThrow(/UNIQUE/);
  });

  test("to a number that has opted out is stored as rejected, and reaches no provider", async () => {
    const school = await openSchool({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
    const { company } = school;
    await connect(company, "http-sms");
    await onlyRules(company, { booking_requested: { ...SMS, audience: ["customer"] } });
    const phone = `0412${String(Math.floor(Math.random() * 1e6)).padStart(6, "0")}`;
    const number = `61${phone.slice(1)}`;
    const optout = { channel: "sms", address: number };
    must(await company.call("POST", "/settings/:company/optouts", { body: optout }), 201);
    await setNotifications(company, { quiet_hours: null });
    await bookedBy(school, { phone });
    expect(await settledLines(company)).toEqual(["booking_requested sms customer sent"]);
    const [message] = must(
      await company.call<{ status: string }[]>("GET", "/messaging/:company/messages"),
      200,
    ).body.data;
    expect(message).toMatchObject({ status: "rejected", error: { code: "not_opted_in" } });
    expect(await received(number)).toEqual([]);
  });

  test("waits for the end of the quiet hours by SMS, and 12 hours count from then", async () => {
    const company = await withLead({ country: "AU", currency: "AUD", timezone: "UTC" });
    await onlyRules(company, { lead_acknowledged: SMS });
    await connect(company, "http-sms");
    await company.database().execute("UPDATE leads SET phone = '0412345678'");
    const [midnight, morning] = [Date.parse("2037-06-03T00:00Z"), Date.parse("2037-06-03T08:00Z")];
    await dueAt(company, midnight, { rule: "lead_acknowledged", recipient: "lead", channel: "sms" });
    const job = { country: "AU", timezone: "UTC" };
    await runJob(company, { ...job, now: midnight });
    expect(await logOf(company)).toMatchObject([{ state: "due", due_at: "2037-06-03T08:00:00.000Z" }]);
    await runJob(company, { ...job, now: morning + 11 * HOUR });
    expect(await linesOf(company)).toEqual(["lead_acknowledged sms lead sent"]);
  });

  test("that is more than 12 hours old is not sent any more", async () => {
    const company = await withLead();
    await dueAt(company, LATER);
    await runJob(company, { now: LATER + 12 * HOUR + 1 });
    expect(await linesOf(company)).toEqual(["lead_received email company skipped late"]);
  });

  test("of a record that is gone is not sent", async () => {
    const company = await withLead();
    await dueAt(company, LATER, { record_id: "99" });
    await runJob(company, { now: LATER });
    expect(await linesOf(company)).toEqual(["lead_received email company skipped gone"]);
  });

  test("without a provider of its channel has failed, and says why", async () => {
    const company = await withLead();
    await onlyRules(company, { lead_received: SMS });
    await dueAt(company, LATER, { channel: "sms" });
    await runJob(company, { now: LATER });
    expect(await linesOf(company)).toEqual(["lead_received sms company failed no_active_provider"]);
  });
});

describe("the company's own cap", () => {
  test("is counted in recipients a day; past it nothing is sent, and a key's own cap stays as it is", async () => {
    const school = await openSchool();
    const { company } = school;
    await onlyRules(company, { booking_requested: { ...EMAIL, audience: ["customer"] } });
    await setNotifications(company, { daily_cap: 1 });
    const { email } = await bookedBy(school);
    await arrived(email);
    await book(school, { ...WHEN, start_time: "14:00", customer: { ...STUDENT, email: newAddress() } });
    expect(await settledLines(company)).toEqual([
      "booking_requested email customer sent",
      "booking_requested email customer capped daily_cap",
    ]);
    const body = { to: newAddress(), subject: "Ready", html: "<p>Ready</p>" };
    const sent = must(await company.call("POST", "/messaging/:company/email", { body }), 202);
    expect(sent.headers.get("X-RateLimit-Limit")).toBe("30");
  });
});

describe("an hourly rule", () => {
  test("sends one message at the hour's end, which counts all of that hour", async () => {
    const company = await openCompany({ email: "office@asha.example" });
    await onlyRules(company, { stock_low: EMAIL });
    for (const name of ["Bolts", "Nuts"]) {
      const stock = { track_stock: true, opening_stock: 5, low_stock_threshold: 3 };
      const { id } = await newProduct(company, { name, ...stock });
      const body = { adjustment_type: "decrease", quantity: 3, reason: "Sold" };
      must(await company.call("POST", `/products/:company/${id}/stock-adjustments`, { body }), 201);
    }
    const [row] = await logOf(company);
    expect(await logOf(company)).toMatchObject([
      { rule: "stock_low", count: 2, state: "due", record_id: null },
    ]);
    const due = Date.parse(row?.due_at ?? "");
    expect(due % HOUR).toBe(0);
    await runJob(company, { now: due });
    const { rows } = await company.database().execute("SELECT details FROM messages");
    expect(rows.map(({ details }) => JSON.parse(String(details)).subject)).toEqual([
      "Products that are low in stock: 2",
    ]);
  });
});
