import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { arrived, newAddress, received } from "../messaging/provider.ts";
import { book, everyDay, newBooking, newInstructor, openSchool, STUDENT } from "../school.ts";
import { bookedBy, confirmed, dueOf, EMAIL, reachable, schoolWith, staff, WHEN } from "./lesson-mails.ts";
import { dueAt, linesOf, logOf, onlyRules, runJob, settledLines } from "./notified.ts";

async function messagesOf(
  company: TestCompany,
  query: string,
): Promise<{ rule: string | null; source: string }[]> {
  return must(await company.call<[]>("GET", `/messaging/:company/messages?${query}`), 200).body.data;
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
    const [sent, suppressed] = await logOf(school.company);
    expect([sent?.message_status, suppressed?.message_status]).toEqual(["sent", null]);
    expect(await messagesOf(school.company, "source=api")).toEqual([]);
    await expectSound(school.company);
  });

  test("that is confirmed notifies its instructor too, with the address of its calendar file", async () => {
    const school = await openSchool();
    const [email, teacher] = [newAddress(), await reachable(school)];
    await confirmed(school, email);
    expect((await arrived(email)).html).toContain("/booking.ics");
    expect((await arrived(teacher)).text).toContain(STUDENT.name);
  });

  test("that moves to another instructor notifies both", async () => {
    const school = await openSchool();
    const { company } = school;
    const [old, fresh] = [await reachable(school), newAddress("new")];
    const schedule = everyDay("09:00-17:00");
    const other = await newInstructor(company, { name: "Anil", email: fresh, schedule });
    await onlyRules(company, { booking_moved: EMAIL });
    const { booking } = await bookedBy(school);
    await staff(school, `/${booking.id}/reschedule`, { ...WHEN, instructor_id: other.id });
    await Promise.all([arrived(old), arrived(fresh)]);
  });

  test("that staff change without a notification to the customer notifies only the instructor", async () => {
    const school = await schoolWith({ booking_cancelled: EMAIL });
    const { booking, email } = await bookedBy(school);
    await staff(school, `/${booking.id}/cancel`, { notify: false });
    expect(await settledLines(school.company)).toEqual([
      "booking_cancelled email instructor skipped no_address",
    ]);
    expect(await received(email)).toEqual([]);
  });

  test("is notified in the language that its customer prefers", async () => {
    const school = await schoolWith({ booking_requested: { ...EMAIL, audience: ["customer"] } });
    const { company } = school;
    const first = await bookedBy(school);
    await arrived(first.email);
    const [customer] = await company.read<{ id: string }[]>("/customers/:company");
    await company.change(`/customers/:company/${customer?.id}`, { language: "hi" });
    await book(school, { ...WHEN, start_time: "14:00", customer: { ...STUDENT, email: first.email } });
    await expect.poll(async () => (await received(first.email)).length, { timeout: 20_000 }).toBe(2);
    expect((await received(first.email))[0]?.text).toContain("नमस्ते");
  });

  test("that is cancelled before its confirmation goes out is not confirmed to anybody", async () => {
    const school = await schoolWith({});
    const booking = await newBooking(school, WHEN);
    await onlyRules(school.company, { booking_confirmed: EMAIL });
    await staff(school, `/${booking.id}/cancel`, {});
    await dueAt(school.company, LATER, dueOf("booking_confirmed", booking));
    await runJob(school.company, { now: LATER, country: "AU" });
    expect(await linesOf(school.company)).toEqual(["booking_confirmed email customer skipped no_longer_so"]);
  });
});
