import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getCustomer, newCustomer } from "../commerce.ts";
import { EMAIL, mailsTo } from "../notifications/lesson-mails.ts";
import { onlyRules } from "../notifications/notified.ts";
import { refusal } from "../refusal.ts";
import {
  book,
  browserOf,
  daysAhead,
  everyDay,
  expectStatus,
  newInstructor,
  openSchool,
  type School,
  STAFF_BOOKINGS,
  type StaffBooking,
  schoolCall,
  staffRead,
} from "../school.ts";
import { bookedBy, cancelledBy, twoPeople } from "./two-people.ts";

const LESSON = { booking_date: daysAhead(7), start_time: "10:00" };

const whose = ({ company }: School, id: string, body: object, call = {}) =>
  company.call<StaffBooking>("POST", `${STAFF_BOOKINGS}/${id}/customer`, { body, ...call });

/** His booking, of which a customer was made, and hers, which matched that customer by her phone number. */
async function bothBooked() {
  const school = await openSchool();
  const people = twoPeople();
  const browser = await browserOf(school.company);
  const { booking: his } = await bookedBy(school, browser, { ...LESSON, customer: people.him });
  const { booking: hers } = await bookedBy(school, browser, {
    ...LESSON,
    start_time: "14:00",
    customer: people.her,
  });
  return { school, ...people, browser, his, hers };
}

test("a booking keeps the contact that was typed beside the customer whom it matches, who is not changed", async () => {
  const { school, him, her, his, hers } = await bothBooked();
  const first = await staffRead(school.company, his.id);
  // Its customer was made of it, so they are the same.
  expect(first).toMatchObject({ contact: him, customer: him, customer_confirmed: true });
  const second = await staffRead(school.company, hers.id);
  expect(second).toMatchObject({ contact: her, customer: first.customer, customer_confirmed: false });
  expect((await getCustomer(school.company, first.customer.id)).body.data).toMatchObject(him);
  await expectSound(school.company);
});

test("staff confirm that a booking's contact is a customer: it stays as it was typed", async () => {
  const { school, her, hers } = await bothBooked();
  const { id } = await newCustomer(school.company, { name: "Mia Chen-Rao", email: her.email });
  const told = must(await whose(school, hers.id, { customer_id: id }), 200).body.data;
  expect(told).toMatchObject({
    contact: her,
    customer: { id, name: "Mia Chen-Rao" },
    customer_confirmed: true,
  });
  expect(must(await whose(school, hers.id, { customer_id: id }), 200).body.data.customer.id).toBe(id);
  await expectSound(school.company);
});

test("staff part a booking from the customer that it matched: a new customer is made of its contact", async () => {
  const { school, him, her, his, hers } = await bothBooked();
  const { company } = school;
  const before = (await staffRead(company, his.id)).customer;
  const parted = must(await whose(school, hers.id, { customer_id: null }), 200).body.data;
  expect(parted).toMatchObject({ contact: her, customer: her, customer_confirmed: true });
  expect(parted.customer.id).not.toBe(before.id);
  expect((await getCustomer(company, before.id)).body.data).toMatchObject(him);
  const debtors = "SELECT count(*) AS n FROM accounts WHERE party_type = 'customer'";
  expect(await company.rows(debtors)).toEqual([{ n: 2 }]);
  await expectSound(company);
});

test("whose booking it is is said by a key that may read the customer, of one that there is", async () => {
  const { school, hers } = await bothBooked();
  const { company } = school;
  const diary = await company.key("diary:write", "diary:read");
  expect(await whose(school, hers.id, { customer_id: "1" }, { key: diary })).toMatchObject(
    refusal(403, "insufficient_scope", { required_scope: "customers:read" }),
  );
  expect(must(await whose(school, hers.id, { customer_id: null }, { key: diary }), 200)).toBeDefined();
  const writer = await company.key("diary:write");
  expect((await whose(school, hers.id, { customer_id: null }, { key: writer })).status).toBe(403);
  expect(await whose(school, hers.id, { customer_id: "999999" })).toMatchObject({ status: 422 });
  const none = `bkg_${"a".repeat(26)}`;
  for (const customer_id of [null, "1"])
    expect((await whose(school, none, { customer_id })).status).toBe(404);
});

test("a booking that staff made for a customer by id notifies the customer's current address", async () => {
  const school = await openSchool();
  const { company } = school;
  await onlyRules(company, { booking_cancelled: { ...EMAIL, audience: ["customer"] } });
  const { him, her } = twoPeople();
  const { id } = await newCustomer(company, him);
  const body = {
    ...LESSON,
    customer_id: id,
    instructor_id: school.instructorId,
    product_id: school.courseId,
    status: "confirmed",
  };
  const made = await company.make<StaffBooking>(STAFF_BOOKINGS, body);
  expect(made).toMatchObject({ contact: him, customer_confirmed: true });
  await company.change(`/customers/:company/${id}`, { email: her.email });
  must(await company.call("POST", `${STAFF_BOOKINGS}/${made.id}/cancel`, { body: {} }), 200);
  await mailsTo(her.email, 1);
});

/** A school with two instructors, and a browser. */
async function twoInstructors() {
  const school = await openSchool();
  const other = await newInstructor(school.company, { name: "Tom Reid", schedule: everyDay("09:00-17:00") });
  return { school, there: { ...school, instructorId: other.id }, browser: await browserOf(school.company) };
}

test("a stranger neither learns by an overlap when her lessons are, nor keeps her from a slot", async () => {
  const { school, there, browser } = await twoInstructors();
  const { her } = twoPeople();
  await bookedBy(school, browser, { ...LESSON, customer: her });
  for (const customer of [
    { name: "X", phone: her.phone },
    { name: "X", email: her.email },
  ]) {
    const { id } = (await bookedBy(there, browser, { ...LESSON, customer })).booking;
    await cancelledBy(there, browser, id);
  }
});

test("one visitor's lessons do not overlap", async () => {
  const { school, there, browser } = await twoInstructors();
  const { her } = twoPeople();
  const started = await schoolCall<{ visitor: string }>(school.company, "GET", "/start", browser);
  const fields = { ...LESSON, customer: her, visitor: expectStatus(started, 200).body.visitor };
  await bookedBy(school, browser, fields);
  expect(await book(there, fields, browser)).toMatchObject(refusal(409, "slot_overlaps_own"));
});

test("staff find a booking by what was typed, and by whom it matches", async () => {
  const { school, him, her, his, hers } = await bothBooked();
  const found = async (q: string) => {
    const path = `${STAFF_BOOKINGS}?q=${encodeURIComponent(q)}`;
    return (await school.company.read<StaffBooking[]>(path)).map(({ id }) => id).sort();
  };
  for (const q of ["mia chen", her.email, "Mi"]) expect(await found(q), q).toEqual([hers.id]);
  for (const q of [him.name, her.phone, "Vi"]) expect(await found(q), q).toEqual([his.id, hers.id].sort());
});
