import { describe, expect, test } from "vitest";
import { Problem } from "#shared/problem.ts";
import { must } from "../../support/company.ts";
import { arrived, connect, newAddress, received } from "../messaging/provider.ts";
import { book, openSchool, STUDENT } from "../school.ts";
import { bookedBy, dueOf, EMAIL, schoolWith, WHEN } from "./lesson-mails.ts";
import {
  dueAt,
  linesOf,
  logOf,
  onlyRules,
  runJob,
  setNotifications,
  settledLines,
  withLead,
} from "./notified.ts";

const SMS = { channels: { sms: true } };
const HOUR = 3_600_000;
const LATER = Date.parse("2037-06-03T05:00Z");

describe("a notification", () => {
  test("is one message, sent by one of the jobs that run at once: the others leave the rest to it", async () => {
    const company = await withLead();
    for (let n = 0; n < 45; n += 1) await dueAt(company, LATER, { occasion: `lead ${n}` });
    const before = await company.requests();
    await Promise.all(Array.from({ length: 10 }, () => runJob(company, { now: LATER })));
    // A write for each, a read for each twenty, and what each of the others asks before it knows.
    expect((await company.requests()) - before).toBeLessThanOrEqual(45 + 4 + 2 * 9);
    expect((await logOf(company)).map(({ state }) => state)).toEqual(Array(45).fill("sent"));
    expect(await company.rows("SELECT id FROM messages")).toHaveLength(45);
  });

  test("that a crash left after the commit is sent by the clock, once", async () => {
    const school = await schoolWith({});
    const { company } = school;
    const { booking, email } = await bookedBy(school);
    await onlyRules(company, { booking_requested: { ...EMAIL, audience: ["customer"] } });
    // As the commit leaves it, without a queued job.
    await dueAt(company, Date.now(), dueOf("booking_requested", booking));
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
    const [message] = await company.read<{ status: string }[]>("/messaging/:company/messages");
    expect(message).toMatchObject({ status: "rejected", error: { code: "not_opted_in" } });
    expect(await received(number)).toEqual([]);
  });

  test("waits for the end of the quiet hours by SMS, and 12 hours count from then", async () => {
    const company = await withLead({ country: "AU", currency: "AUD", timezone: "UTC" });
    await onlyRules(company, { lead_acknowledged: SMS });
    await connect(company, "http-sms");
    // The notice of the provider goes first.
    await settledLines(company, "rule=setting_changed");
    await company.rows("UPDATE leads SET phone = '0412345678'");
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
    const school = await schoolWith({ booking_requested: { ...EMAIL, audience: ["customer"] } });
    const { company } = school;
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

  test("leaves the mail of a hold due again before the hold ends", async () => {
    const school = await schoolWith({ booking_held: EMAIL });
    const { company } = school;
    const { booking } = await bookedBy(school);
    await company.database().executeMultiple(`UPDATE events SET at = ${LATER};
      UPDATE bookings SET status = 'pending', payment_status = 'unpaid', hold_expires_at = ${LATER + HOUR / 4}`);
    await dueAt(company, LATER, { ...dueOf("booking_held", booking), sequence: 1 });
    const meanwhile = () => Promise.reject(new Problem("messaging_daily_cap"));
    await runJob(company, { now: LATER, meanwhile });
    const due_at = new Date(LATER + HOUR / 8).toISOString();
    expect(await logOf(company)).toMatchObject([{ state: "capped", reason: "daily_cap", due_at }]);
  });
});
