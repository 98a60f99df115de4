import { expect, test } from "vitest";
import { arrived, newAddress } from "../messaging/provider.ts";
import { book, daysAhead, openSchool, STUDENT } from "../school.ts";
import { settledLines } from "./notified.ts";

const WHEN = { booking_date: daysAhead(7), start_time: "10:00" };

test("a booking brings its customer an e-mail with the address of its own page", async () => {
  const school = await openSchool();
  const email = newAddress();
  const { body } = await book(school, { ...WHEN, customer: { ...STUDENT, email } });
  const mail = await arrived(email);
  expect(mail.html).toContain(`href="${body.booking.manage_url}"`);
  expect(await settledLines(school.company)).toEqual([
    "booking_requested email customer sent",
    "booking_requested email company skipped no_address",
  ]);
});
