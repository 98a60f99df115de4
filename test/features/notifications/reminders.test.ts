import { describe, expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import { remindersDue } from "../../../src/features/notifications/reminders.ts";
import type { TestCompany } from "../../support/company.ts";
import { connect } from "../messaging/provider.ts";
import { openSchool, STUDENT } from "../school.ts";
import { EMAIL } from "./lesson-mails.ts";
import { linesOf, onlyRules, runJob, setNotifications } from "./notified.ts";

const at = (text: string) => Date.parse(text);
const MINUTE = 60_000;
const SMS = { channels: { sms: true } };

type Lesson = { id: string; start: string; confirmed?: string; status?: string };

/** A school whose lessons a test puts where it wants them, whatever the day is; the clock of the service sees them far ahead. */
async function schoolIn(country: string, timezone: string, rules: Record<string, object>) {
  const currency = { IN: "INR", AU: "AUD", US: "USD" }[country] ?? "INR";
  const { company, instructorId, courseId } = await openSchool({ country, currency, timezone });
  await onlyRules(company, rules);
  const phone = { IN: "+919845012345", AU: "+61412345678", US: "+12025550123" }[country];
  const body = { ...STUDENT, phone, state: "Karnataka", pincode: "560001" };
  const made = await company.call<{ id: string }>("POST", "/customers/:company", { body });
  const customerId = Number(made.body.data.id);
  const put = ({ id, start, confirmed = "2001-01-01T00:00Z", status = "confirmed" }: Lesson) => {
    const [date = "", time = ""] = start.split("T");
    return company.rows(
      `INSERT INTO bookings (id, operation, booking_number, customer_id, instructor_id, product_id, start_at, end_at,
          booking_date, start_time, end_time, timezone, status, payment_status, total_amount, currency, checked_at,
          public_token, confirmed_at, customer_confirmed, created_at, updated_at)
        VALUES (?1, ?1, ?1, ?2, ?3, ?4, ?5, ?5 + 3600000, ?6, ?7, ?7, ?8, ?9, 'paid', 0, ?10, 0,
          substr(lower(hex(randomblob(22))), 1, 43), ?11, 1, 0, 0)`,
      ...[id, customerId, instructorId, courseId, at(start), date, time.slice(0, 5)],
      ...[timezone, status, currency, at(confirmed)],
    );
  };
  const move = (id: string, start: string) =>
    company.rows(
      "UPDATE bookings SET start_at = ?2, end_at = ?2 + 3600000, updated_at = ?2 WHERE id = ?1",
      id,
      at(start),
    );
  const cancel = (id: string) => company.rows("UPDATE bookings SET status = 'cancelled' WHERE id = ?", id);
  return { company, country, timezone, put, move, cancel };
}

const sydneySchool = () => schoolIn("AU", "Australia/Sydney", { booking_reminder_hours: EMAIL });

type Told = Pick<Awaited<ReturnType<typeof schoolIn>>, "company" | "country" | "timezone">;

/** What the clock does at a minute: the reminders that are due are made, and all that is due is sent. */
async function tick({ company, country, timezone }: Told, now: string): Promise<void> {
  await runJob(company, { now: at(now), country, timezone, job: (ctx) => remindersDue.act(ctx) });
  await runJob(company, { now: at(now), country, timezone });
}

/** Lets the clock run from one minute to another, and gives when each message was stored. */
async function sentBetween(school: Told, from: string, to: string, everyMinutes = 1): Promise<string[]> {
  for (let now = at(from); now <= at(to); now += everyMinutes * MINUTE)
    await tick(school, new Date(now).toISOString());
  return sentIn(school.company);
}

async function sentIn(company: TestCompany): Promise<string[]> {
  const sql = "SELECT rule, channel, created_at FROM messages WHERE rule IS NOT NULL ORDER BY id";
  return (await company.rows(sql)).map(({ rule, channel, created_at }) =>
    [rule, channel, new Date(Number(created_at)).toISOString().slice(0, 16)].join(" "),
  );
}

describe("a reminder", () => {
  test("goes so many hours before its lesson, and once", async () => {
    const school = await sydneySchool();
    await school.put({ id: "lesson", start: "2037-06-03T05:00Z" });
    expect(await sentBetween(school, "2037-06-03T02:50Z", "2037-06-03T03:10Z", 5)).toEqual([
      "booking_reminder_hours email 2037-06-03T03:00",
    ]);
    expect(await linesOf(school.company)).toEqual(["booking_reminder_hours email customer sent"]);
  });

  test("of a lesson that moves goes at its new time, and of one that moves back not twice", async () => {
    const school = await sydneySchool();
    await school.put({ id: "moved", start: "2037-06-03T05:00Z" });
    await tick(school, "2037-06-03T03:00Z");
    await school.move("moved", "2037-06-03T09:00Z");
    await tick(school, "2037-06-03T03:05Z");
    await tick(school, "2037-06-03T07:00Z");
    await school.move("moved", "2037-06-03T05:00Z");
    await tick(school, "2037-06-03T03:10Z");
    expect(await sentIn(school.company)).toEqual([
      "booking_reminder_hours email 2037-06-03T03:00",
      "booking_reminder_hours email 2037-06-03T07:00",
    ]);
  });

  test("of a lesson that is cancelled does not go", async () => {
    const school = await sydneySchool();
    await school.put({ id: "cancelled", start: "2037-06-03T05:00Z" });
    await school.cancel("cancelled");
    expect(await sentBetween(school, "2037-06-03T02:55Z", "2037-06-03T03:10Z", 5)).toEqual([]);
    expect(await linesOf(school.company)).toEqual([]);
  });

  test("of a lesson that was confirmed after its time does not go: the confirmation has just said it", async () => {
    const school = await schoolIn("AU", "Australia/Sydney", {
      booking_reminder_day: EMAIL,
      booking_reminder_hours: EMAIL,
    });
    await school.put({ id: "late", start: "2037-06-03T05:00Z", confirmed: "2037-06-02T20:00Z" });
    expect(await sentBetween(school, "2037-06-02T20:00Z", "2037-06-03T03:00Z", 60)).toEqual([
      "booking_reminder_hours email 2037-06-03T03:00",
    ]);
    expect(await linesOf(school.company)).toEqual([
      "booking_reminder_day email customer skipped just_confirmed",
      "booking_reminder_hours email customer sent",
    ]);
  });

  test("that was missed by more than a quarter of its hours does not go", async () => {
    const school = await sydneySchool();
    await school.put({ id: "in time", start: "2037-06-03T05:00Z" });
    await school.put({ id: "missed", start: "2037-06-03T03:40Z" });
    expect(await sentBetween(school, "2037-06-03T03:29Z", "2037-06-03T03:29Z")).toEqual([
      "booking_reminder_hours email 2037-06-03T03:29",
    ]);
    expect((await linesOf(school.company)).sort()).toEqual([
      "booking_reminder_hours email customer sent",
      "booking_reminder_hours email customer skipped late",
    ]);
  });

  test("by other hours goes at their time, also of lessons that are booked already", async () => {
    const school = await sydneySchool();
    await school.put({ id: "changed", start: "2037-06-03T05:00Z" });
    await setNotifications(school.company, { rules: [{ rule: "booking_reminder_hours", hours: 4 }] });
    expect(await sentBetween(school, "2037-06-03T00:50Z", "2037-06-03T03:05Z", 5)).toEqual([
      "booking_reminder_hours email 2037-06-03T01:00",
    ]);
  });

  test("of a rule that was turned off meanwhile does not go", async () => {
    const school = await sydneySchool();
    await school.put({ id: "off", start: "2037-06-03T05:00Z" });
    const job = (ctx: Ctx) => remindersDue.act(ctx);
    await runJob(school.company, { now: at("2037-06-03T03:00Z"), timezone: school.timezone, job });
    await onlyRules(school.company, {});
    expect(await sentBetween(school, "2037-06-03T03:01Z", "2037-06-03T03:01Z")).toEqual([]);
  });
});

describe("by SMS", () => {
  const TEXT = { text: "Your lesson begins at {{booking.time}}.", template_id: "1107161234567890123" };

  async function indianSchool() {
    const school = await schoolIn("IN", "Asia/Kolkata", { booking_reminder_hours: SMS });
    await connect(school.company, "http-sms");
    const path = "/settings/:company/notification-templates/booking_reminder_hours/sms/en";
    await school.company.call("PUT", path, { body: TEXT });
    return school;
  }

  test("a Kolkata lesson at 07:00 has its reminder at 20:59 the evening before", async () => {
    const school = await indianSchool();
    await school.put({ id: "early", start: "2037-06-03T01:30Z" });
    expect(await sentBetween(school, "2037-06-02T15:20Z", "2037-06-02T15:31Z")).toEqual([
      "booking_reminder_hours sms 2037-06-02T15:29",
    ]);
    expect(await sentBetween(school, "2037-06-02T23:25Z", "2037-06-02T23:35Z", 5)).toHaveLength(1);
  });

  test("one whose quiet hours are taken away goes at its own time", async () => {
    const school = await indianSchool();
    await school.put({ id: "early", start: "2037-06-03T01:30Z" });
    await runJob(school.company, { now: at("2037-06-02T15:20Z"), job: (ctx) => remindersDue.act(ctx) });
    await setNotifications(school.company, { quiet_hours: null });
    expect(await sentBetween(school, "2037-06-02T23:28Z", "2037-06-02T23:31Z")).toEqual([
      "booking_reminder_hours sms 2037-06-02T23:30",
    ]);
  });

  test("nothing goes out in India before a registered template is named", async () => {
    const school = await schoolIn("IN", "Asia/Kolkata", { booking_reminder_hours: SMS });
    await connect(school.company, "http-sms");
    await school.put({ id: "unregistered", start: "2037-06-03T08:00Z" });
    await tick(school, "2037-06-03T06:00Z");
    expect(await linesOf(school.company)).toEqual([
      "booking_reminder_hours sms customer skipped no_template",
    ]);
  });
});
