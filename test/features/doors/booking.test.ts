import { expect, test } from "vitest";
import { visit } from "../bookings/page/visitor.ts";
import { received } from "../messaging/provider.ts";
import { EMAIL, mailsTo } from "../notifications/lesson-mails.ts";
import { onlyRules, settledLines } from "../notifications/notified.ts";
import { browserOf, daysAhead, openSchool } from "../school.ts";
import { bookedBy, cancelledBy, twoPeople } from "./two-people.ts";

const LESSON = { booking_date: daysAhead(7), start_time: "10:00" };

test("a stranger who booked with her phone and cancelled gets no mail of her lesson, and sees nothing of it", async () => {
  const school = await openSchool();
  const { company } = school;
  await onlyRules(company, {
    booking_requested: { ...EMAIL, audience: ["customer"] },
    booking_cancelled: EMAIL,
  });
  const { him, her } = twoPeople();
  const browser = await browserOf(company);
  const { booking: his } = await bookedBy(school, browser, { ...LESSON, customer: him });
  await cancelledBy(school, browser, his.id);
  const pickup_address = "12 The Boulevarde, Strathfield";
  const { booking: hers } = await bookedBy(school, browser, { ...LESSON, customer: her, pickup_address });
  await mailsTo(her.email, 1);
  await cancelledBy(school, browser, hers.id);

  // Nothing proves her address: she gets one mail.
  const mails = await mailsTo(her.email, 1);
  expect(JSON.stringify(mails)).toContain(new URL(hers.manage_url ?? "").pathname);
  expect(mails[0]?.html).toContain(her.name);
  await settledLines(company);
  const toHim = JSON.stringify(await received(him.email));
  expect(toHim).not.toMatch(/Boulevarde|Mia/);
  expect(toHim).not.toContain(new URL(hers.manage_url ?? "").pathname);
  expect(toHim).not.toContain(hers.booking_number);

  const page = (await visit(new URL(hers.manage_url ?? "").pathname)).text;
  expect(page).toContain("Hello Mia");
  expect(page).not.toMatch(/Viktor|Strange/);
});
