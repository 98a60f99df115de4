import { expect, test } from "vitest";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { DATE, lineOf, openShop } from "../bookings/packages/package-shop.ts";
import { erase, found } from "../erasures/person.ts";
import { confirmed, EMAIL, mailsTo, reachable } from "../notifications/lesson-mails.ts";
import { onlyRules, settledLines } from "../notifications/notified.ts";
import { browserOf, openSchool, STAFF_BOOKINGS, staffRead } from "../school.ts";
import { gatewayOrderOf, placeOrder } from "../storefront/shop.ts";
import { bookedBy, twoPeople } from "./two-people.ts";

const LESSON = { booking_date: DATE, start_time: "10:00" };

test("erasing her erases the contact of her booking, with its messages and events, and leaves the matched person", async () => {
  const school = await openSchool();
  const { company } = school;
  await onlyRules(company, { booking_requested: { ...EMAIL, audience: ["customer", "company"] } });
  const { him, her } = twoPeople();
  const browser = await browserOf(company);
  await bookedBy(school, browser, { ...LESSON, customer: him });
  const pickup_address = "12 The Boulevarde";
  const fields = { ...LESSON, start_time: "14:00", customer: her, pickup_address };
  const { id } = (await bookedBy(school, browser, fields)).booking;
  await mailsTo(her.email, 1);
  await settledLines(company);

  const { erased } = await erase(company, { email: her.email });
  expect(erased).toMatchObject({ bookings: 1, customers: 0 });
  expect(await staffRead(company, id)).toMatchObject({ contact: null, customer: him, pickup_address: null });
  expect(await found(company, her.email, her.name, "Boulevarde")).toEqual([]);
  expect(await company.read(`${STAFF_BOOKINGS}?q=${encodeURIComponent(her.name)}`)).toEqual([]);
  const body = { customer_id: null };
  const part = await company.call("POST", `${STAFF_BOOKINGS}/${id}/customer`, { body });
  expect(part).toMatchObject({ status: 409, body: { code: "invalid_status" } });
  await expectSound(company);
});

test("erasing him by his address leaves her booking, which only matched his record", async () => {
  const school = await openSchool();
  const { company } = school;
  const { him, her } = twoPeople();
  const browser = await browserOf(company);
  await bookedBy(school, browser, { ...LESSON, customer: him });
  const fields = { ...LESSON, start_time: "14:00", customer: her, student_notes: "First lesson" };
  const { id } = (await bookedBy(school, browser, fields)).booking;
  await erase(company, { email: him.email });
  expect(await staffRead(company, id)).toMatchObject({ contact: her, student_notes: "First lesson" });
  expect(await found(company, him.email, him.name)).toEqual([]);
  await expectSound(company);
});

test("erasing who bought a package erases what it is known by, and leaves the package", async () => {
  const { school, company, packageId } = await openShop();
  const { her } = twoPeople();
  const customer = { ...her, country: "IN" };
  const placed = await placeOrder(company, { items: [lineOf(packageId)], customer });
  await play(company, "razorpay", gatewayOrderOf(placed), "paid");
  const marks = "SELECT contact_email_lower AS email, contact_last9 AS last9 FROM booking_packages";
  expect(await company.rows(marks)).toEqual([{ email: her.email, last9: her.phone.slice(-9) }]);
  await erase(company, { phone: her.phone });
  expect(await company.rows(marks)).toEqual([{ email: null, last9: null }]);
  await expectSound(school.company);
});

test("an instructor's notification of a booking is erased with its contact", async () => {
  const school = await openSchool();
  const { company } = school;
  await onlyRules(company, { booking_confirmed: { ...EMAIL, audience: ["instructor"] } });
  const { him, her } = twoPeople();
  const instructor = await reachable(school);
  await confirmed(school, him.email, { customer: him });
  await confirmed(school, her.email, { customer: her, start_time: "14:00" });
  const mails = await mailsTo(instructor, 2);
  expect(mails.map(({ html }) => html).join()).toContain(her.name);
  await settledLines(company);
  await erase(company, { email: her.email });
  const contents = await company.rows("SELECT content FROM messages");
  expect(JSON.stringify(contents)).not.toContain("Mia");
  expect(JSON.stringify(contents)).toContain("Viktor");
});
