import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { arrived, received } from "../messaging/provider.ts";
import { newBooking, openSchool } from "../school.ts";
import { bookedBy, dueOf, EMAIL, schoolWith, staff, WHEN } from "./lesson-mails.ts";
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

  test("that staff change without a notification to the customer notifies only the instructor", async () => {
    const school = await schoolWith({ booking_cancelled: EMAIL });
    const { booking, email } = await bookedBy(school);
    await staff(school, `/${booking.id}/cancel`, { notify: false });
    expect(await settledLines(school.company)).toEqual([
      "booking_cancelled email instructor skipped no_address",
    ]);
    expect(await received(email)).toEqual([]);
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
