import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import {
  book,
  daysAhead,
  expectStatus,
  newBooking,
  newCourse,
  openSchool,
  readBooking,
  STUDENT,
  SYDNEY,
  schoolCall,
} from "../../school.ts";

const DATE = daysAhead(7);
const BOOKING_ID = /^bkg_[a-z2-7]{26}$/;

const school = await openSchool(SYDNEY);

describe("a booking", () => {
  test("where no gateway takes the currency is pending, and says that it cannot be paid online", async () => {
    const answer = await book(school, { booking_date: DATE, start_time: "09:00" });
    expect(JSON.parse(answer.text)).toEqual({
      success: true,
      booking: {
        id: expect.stringMatching(BOOKING_ID),
        booking_number: "BK-000001",
        status: "pending",
        payment_status: "unpaid",
        total_amount: 75,
        currency: "AUD",
        booking_date: DATE,
        start_time: "09:00",
        end_time: "10:00",
        timezone: "Australia/Sydney",
        manage_url: expect.stringMatching(/\/b\/[a-z0-9-]+\/[A-Za-z0-9_-]{43}$/),
        hold_expires_at: expect.stringMatching(/^\d{4}-/),
        instructor: { id: school.instructorId, name: "Priya Raman" },
      },
      payment: {
        required: true,
        amount: 75,
        currency: "AUD",
        gateway: null,
        payment_url: null,
        payment_data: null,
        next_action: null,
        status: "pending",
        online_payment_enabled: false,
      },
    });
    expect(answer.status).toBe(201);
    const { manage_url: _, ...booking } = answer.body.booking;
    expect(await readBooking(school.company, booking.id)).toEqual(booking);
  });

  test("is read without any of its customer's particulars, by its id alone", async () => {
    const made = await newBooking(school, { booking_date: DATE, start_time: "11:00" });
    const answer = await schoolCall(school.company, "GET", `/bookings/${made.id}`);
    for (const secret of [STUDENT.name, STUDENT.email, STUDENT.phone])
      expect(answer.text).not.toContain(secret);
    for (const id of ["1", made.booking_number, made.id.toUpperCase(), `${made.id}a`])
      expect(await schoolCall(school.company, "GET", `/bookings/${id}`)).toMatchObject(
        refusal(404, "not_found", { success: false }),
      );
  });

  test("without a price is confirmed at once", async () => {
    const courseId = await newCourse(school.company, { selling_price: 0 });
    const at = { booking_date: daysAhead(10), start_time: "09:00" };
    const { body } = expectStatus(await book({ ...school, courseId }, at), 201);
    expect(body.booking).toMatchObject({ status: "confirmed", payment_status: "paid", total_amount: 0 });
    expect(body.payment).toMatchObject({ required: false, amount: 0, status: "not_required" });
  });

  test("costs what the catalogue says, with its tax; the body cannot set it", async () => {
    const courseId = await newCourse(school.company, { selling_price: 75.55, tax_rate: 10 });
    const { body } = await book(
      { ...school, courseId },
      { booking_date: daysAhead(10), start_time: "11:00", total_amount: 1, amount: 1, price: 1 },
    );
    expect(body.booking.total_amount).toBe(83.11);
    const courses = await schoolCall<{ courses: { id: number; price: number }[] }>(
      school.company,
      "GET",
      "/courses",
    );
    expect(courses.body.courses.find(({ id }) => id === courseId)?.price).toBe(83.11);
  });
});

test.each([
  [20, {}, "11:00", 201],
  [21, { end_time: "11:00" }, "11:00", 201],
  [22, { duration_minutes: 60 }, "11:00", 201],
  [23, { end_time: "10:45" }, "10:45", 201],
  [24, { duration_minutes: 30 }, "10:30", 201],
  [25, { end_time: "14:00" }, "duration_not_offered", 422],
  [25, { end_time: "09:00" }, "end_time_mismatch", 422],
  [25, { duration_minutes: 240 }, "duration_not_offered", 422],
])("the length of a course of an hour, in %i days, with %j: %s", async (days, fields, expected, status) => {
  const answer = await book(school, { booking_date: daysAhead(days), start_time: "10:00", ...fields });
  expect(answer.status).toBe(status);
  expect(status === 201 ? answer.body.booking.end_time : answer.body.code).toBe(expected);
});

test("the customer is matched by e-mail address in any case, then by the last nine digits of the phone, else created", async () => {
  const own = await openSchool({ country: "AU", currency: "AUD" });
  const { company } = own;
  const mia = await newCustomer(company, { ...STUDENT, state: "NSW", pincode: "2135" });
  const times = ["09:00", "11:00", "13:00", "15:00"];
  const contacts = [
    { name: "M. Chen", email: "MIA@Example.com", phone: "0499 999 999" },
    { name: "Mia", phone: "+61 412 345 678" },
    { name: "Mia", email: "other@example.com", phone: "(04) 1234 5678" },
    { name: "Zoe Hart", email: "zoe@example.com", postcode: "2150", city: "Parramatta" },
  ];
  for (const [index, customer] of contacts.entries())
    await newBooking(own, { booking_date: DATE, start_time: times[index], customer });
  const owners = await company.rows("SELECT customer_id FROM bookings ORDER BY start_at");
  const [zoe] = await company.rows("SELECT * FROM customers WHERE name = 'Zoe Hart'");
  expect(owners.map(({ customer_id: id }) => id)).toEqual([
    Number(mia.id),
    Number(mia.id),
    Number(mia.id),
    zoe?.id,
  ]);
  expect(zoe).toMatchObject({ pincode: "2150", city: "Parramatta", created_via: "booking" });
  const [kept] = await company.rows("SELECT * FROM customers WHERE id = ?", mia.id);
  expect(kept).toMatchObject({ name: STUDENT.name, email: STUDENT.email, phone: STUDENT.phone });
  await expectSound(company);
});
