import { expect, test } from "vitest";
import type * as z from "zod";
import type { staffBooking } from "../../../src/features/bookings/bookings/staff-snapshot.ts";
import { expectSound } from "../../support/oracles.ts";
import { visit } from "../bookings/page/visitor.ts";
import { getCustomer } from "../commerce.ts";
import { received } from "../messaging/provider.ts";
import { EMAIL, mailsTo } from "../notifications/lesson-mails.ts";
import { onlyRules, settledLines } from "../notifications/notified.ts";
import { daysAhead, openSchool } from "../school.ts";
import { bookedBy, browserOf, cancelledBy, twoPeople } from "./two-people.ts";

const LESSON = { booking_date: daysAhead(7), start_time: "10:00" };

test("a stranger who booked with her phone and cancelled gets no mail of her lesson, and sees nothing of it", async () => {
  const school = await openSchool();
  const { company } = school;
  await onlyRules(company, {
    booking_requested: { ...EMAIL, audience: ["customer"] },
    booking_cancelled: EMAIL,
  });
  const { him, her } = twoPeople();
  const browser = await browserOf(school);
  const his = (await bookedBy(school, browser, { ...LESSON, customer: him })).body.booking;
  await cancelledBy(school, browser, his.id);
  const pickup_address = "12 The Boulevarde, Strathfield";
  const hers = (await bookedBy(school, browser, { ...LESSON, customer: her, pickup_address })).body.booking;
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

test("a booking keeps the contact that was typed beside the customer whom it matches, who is not changed", async () => {
  const school = await openSchool();
  const { company } = school;
  const { him, her } = twoPeople();
  const browser = await browserOf(school);
  const his = (await bookedBy(school, browser, { ...LESSON, customer: him })).body.booking;
  const hers = (await bookedBy(school, browser, { ...LESSON, start_time: "14:00", customer: her })).body
    .booking;
  const read = (id: string) =>
    company.read<z.infer<typeof staffBooking.schema>>(`/settings/:company/bookings/${id}`);
  const first = await read(his.id);
  // Its customer was made of it, so they are the same.
  expect(first).toMatchObject({ contact: him, customer: him, customer_confirmed: true });
  const second = await read(hers.id);
  expect(second).toMatchObject({ contact: her, customer: first.customer, customer_confirmed: false });
  expect((await getCustomer(company, first.customer.id)).body.data).toMatchObject({ ...him });
  await expectSound(company);
});
