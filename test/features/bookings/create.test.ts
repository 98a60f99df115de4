import { beforeAll, describe, expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { newCustomer, refusedFields, rowsOf, setClock } from "../commerce.ts";
import {
  addOverride,
  book,
  daysAhead,
  expectStatus,
  newBooking,
  newCourse,
  newInstructor,
  newPackage,
  offered,
  openSchool,
  readBooking,
  type School,
  STUDENT,
  schoolCall,
} from "../school.ts";

const DATE = daysAhead(7);
const BOOKING_ID = /^bkg_[a-z2-7]{26}$/;

let school: School;
beforeAll(async () => {
  school = await openSchool({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
});

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
        status: "pending",
        online_payment_enabled: false,
      },
    });
    expect(answer.status).toBe(201);
    expect(await readBooking(school.company, answer.body.booking.id)).toEqual(answer.body.booking);
  });

  test("is read without any of its customer's particulars, by its id alone", async () => {
    const made = await newBooking(school, { booking_date: DATE, start_time: "11:00" });
    const answer = await schoolCall(school.company, "GET", `/bookings/${made.id}`);
    for (const secret of [STUDENT.name, STUDENT.email, STUDENT.phone])
      expect(answer.text).not.toContain(secret);
    for (const id of ["1", made.booking_number, made.id.toUpperCase(), `${made.id}a`])
      expect(await schoolCall(school.company, "GET", `/bookings/${id}`)).toMatchObject({
        status: 404,
        body: { success: false, code: "not_found" },
      });
  });

  test("of another company is 404", async () => {
    const made = await newBooking(school, { booking_date: daysAhead(8), start_time: "09:00" });
    const other = await openCompany();
    expect((await schoolCall(other, "GET", `/bookings/${made.id}`)).status).toBe(404);
  });

  test("takes its slot, and the buffer beside it, from all others", async () => {
    const own = await openSchool({}, { windows: ["09:00-17:00"] });
    await newBooking(own, { booking_date: DATE, start_time: "10:00" });
    expect(await offered(own, DATE)).toEqual(["12:00", "13:00", "14:00", "15:00", "16:00"]);
    for (const start_time of ["09:00", "10:00", "11:00"])
      expect(await book(own, { booking_date: DATE, start_time })).toMatchObject({
        status: 409,
        body: { success: false, code: "slot_unavailable" },
      });
    expect((await book(own, { booking_date: DATE, start_time: "12:00" })).status).toBe(201);
    await expectSound(own.company);
  });

  test("of another instructor at the same time is no conflict", async () => {
    const other = await newInstructor(school.company, {
      name: "Tom Reid",
      schedule: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: "09:00", end: "17:00" })),
    });
    const at = { booking_date: daysAhead(9), start_time: "09:00" };
    await newBooking(school, at);
    const customer = { name: "Leo", email: "leo@example.com" };
    await newBooking({ ...school, instructorId: other.id }, { ...at, customer });
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

describe("the length", () => {
  test.each([
    [{}, "11:00", 201],
    [{ end_time: "11:00" }, "11:00", 201],
    [{ duration_minutes: 60 }, "11:00", 201],
    [{ end_time: "14:00" }, "end_time_mismatch", 422],
    [{ end_time: "09:00" }, "end_time_mismatch", 422],
    [{ duration_minutes: 240 }, "duration_mismatch", 422],
  ])("of a course of an hour with %j: %s", async (fields, expected, status) => {
    const own = await openSchool({});
    const answer = await book(own, { booking_date: DATE, start_time: "10:00", ...fields });
    expect(answer.status).toBe(status);
    expect(status === 201 ? answer.body.booking.end_time : answer.body.code).toBe(expected);
  });
});

describe("a time that is not offered", () => {
  test("is 422 with the day's reason", async () => {
    const own = await openSchool({}, { windows: ["09:00-12:00"] });
    await addOverride(own, { date: daysAhead(12), is_available: false });
    const cases = [
      [DATE, "09:30", "not_a_slot"],
      [DATE, "11:30", "not_a_slot"],
      [DATE, "13:00", "not_a_slot"],
      [daysAhead(12), "09:00", "closed"],
      [daysAhead(200), "09:00", "outside_advance_window"],
      [daysAhead(-2), "09:00", "past_date"],
    ] as const;
    const before = await rowCounts(own.company);
    for (const [booking_date, start_time, reason] of cases) {
      const answer = await book(own, { booking_date, start_time });
      expect(answer, `${booking_date} ${start_time}`).toMatchObject({
        status: 422,
        body: { code: "slot_not_offered", reason },
      });
    }
    expect(await rowCounts(own.company)).toEqual(before);
  });

  test("inside the minimum notice is 422", async () => {
    const own = await openSchool({ timezone: "Asia/Kolkata" });
    await setClock(own.company, `${DATE}T09:30:00+05:30`);
    const early = await book(own, { booking_date: DATE, start_time: "11:00" });
    expect(early.body).toMatchObject({ code: "slot_not_offered" });
    await newBooking(own, { booking_date: DATE, start_time: "12:00" });
  });

  test("that the clocks skip is nonexistent_time", async () => {
    const own = await openSchool({ timezone: "Australia/Sydney" }, { windows: ["00:00-06:00"] });
    await setClock(own.company, "2026-10-01T00:00:00Z");
    const answer = await book(own, { booking_date: "2026-10-04", start_time: "02:00" });
    expect(answer).toMatchObject({ status: 422, body: { code: "nonexistent_time" } });
    const crossing = await book(own, { booking_date: "2026-10-04", start_time: "01:00" });
    expect(crossing).toMatchObject({ status: 422, body: { code: "slot_not_offered" } });
    const after = await newBooking(own, { booking_date: "2026-10-04", start_time: "03:00" });
    expect(after).toMatchObject({ start_time: "03:00", end_time: "04:00" });
    const [{ start_at } = {}] = await rowsOf(own.company, "SELECT start_at FROM bookings");
    expect(new Date(Number(start_at)).toISOString()).toBe("2026-10-03T16:00:00.000Z");
  });
});

describe("a body that names what cannot be booked", () => {
  test("is 422, and writes nothing", async () => {
    const own = await openSchool({});
    const { company } = own;
    const [inactive, manual, bundle, shirt, retired] = await Promise.all([
      newInstructor(company, { is_active: false }),
      newInstructor(company, { transmission: "manual" }),
      newCourse(company, { is_package: true, sessions: 5 }),
      newCourse(company, { duration_minutes: null, transmission: null }),
      newCourse(company, { status: "inactive" }),
    ]);
    const cases: [Record<string, unknown>, string, Record<string, string>][] = [
      [{ instructor_id: 999_999 }, "invalid_instructor", { instructor_id: "not_found" }],
      [{ instructor_id: inactive.id }, "invalid_instructor", { instructor_id: "not_found" }],
      [{ instructor_id: manual.id }, "invalid_instructor", { instructor_id: "transmission_mismatch" }],
      [{ product_id: 999_999 }, "invalid_product", { product_id: "not_a_lesson" }],
      [{ product_id: bundle }, "invalid_product", { product_id: "not_a_lesson" }],
      [{ product_id: shirt }, "invalid_product", { product_id: "not_a_lesson" }],
      [{ product_id: retired }, "invalid_product", { product_id: "not_a_lesson" }],
      [{ service_location_id: 999_999 }, "validation_failed", { service_location_id: "not_found" }],
      [{ product_id: null }, "validation_failed", { product_id: "required" }],
      [{ customer: { name: "Mia" } }, "validation_failed", { "customer.email": "invalid" }],
      [{ customer: { email: "mia@example.com" } }, "validation_failed", { "customer.name": "required" }],
      [{ start_time: "9:00" }, "validation_failed", { start_time: "invalid_format" }],
      [{ start_time: "24:00" }, "validation_failed", { start_time: "invalid_format" }],
      [{ booking_date: "2026-02-30" }, "validation_failed", { booking_date: "invalid_date" }],
      [{ return_url: "https://a.example" }, "validation_failed", { cancel_url: "invalid" }],
      [
        { return_url: "http://a.example/x", cancel_url: "https://a.example" },
        "validation_failed",
        { return_url: "invalid" },
      ],
      [
        { return_url: "https://a.example@b.example/", cancel_url: "https://a.example" },
        "validation_failed",
        { return_url: "invalid" },
      ],
      [
        { return_url: "javascript:alert(1)", cancel_url: "https://a.example" },
        "validation_failed",
        { return_url: "invalid" },
      ],
    ];
    const before = await rowCounts(company);
    for (const [fields, code, refused] of cases) {
      const answer = await book(own, { booking_date: DATE, start_time: "10:00", ...fields });
      expect(answer, JSON.stringify(fields)).toMatchObject({ status: 422, body: { success: false, code } });
      expect(refusedFields(answer as never)).toEqual(refused);
    }
    expect(await rowCounts(company)).toEqual(before);
  });
});

describe("the customer", () => {
  test("is matched by e-mail address in any case, then by the last nine digits of the phone, else created", async () => {
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
    const owners = await rowsOf(company, "SELECT customer_id FROM bookings ORDER BY start_at");
    const [zoe] = await rowsOf(company, "SELECT * FROM customers WHERE name = 'Zoe Hart'");
    expect(owners.map(({ customer_id: id }) => id)).toEqual([
      Number(mia.id),
      Number(mia.id),
      Number(mia.id),
      zoe?.id,
    ]);
    expect(zoe).toMatchObject({ pincode: "2150", city: "Parramatta", created_via: "booking" });
    const [kept] = await rowsOf(company, "SELECT * FROM customers WHERE id = ?", [mia.id]);
    expect(kept).toMatchObject({ name: STUDENT.name, email: STUDENT.email, phone: STUDENT.phone });
    await expectSound(company);
  });
});

describe("with an Idempotency-Key", () => {
  test("a double click makes one booking and gets one answer", async () => {
    const own = await openSchool({});
    const headers = { "Idempotency-Key": "click" };
    const at = { booking_date: DATE, start_time: "10:00" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => book(own, at, { headers })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await rowsOf(own.company, "SELECT count(*) AS made FROM bookings")).toEqual([{ made: 1 }]);
    const moved = await book(own, { ...at, start_time: "12:00" }, { headers });
    expect(moved).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  });

  test("after a 409 the same key judges afresh", async () => {
    const own = await openSchool({});
    const at = { booking_date: DATE, start_time: "10:00" };
    const first = await newBooking(own, at);
    const headers = { "Idempotency-Key": "again" };
    expect((await book(own, at, { headers })).status).toBe(409);
    await schoolCall(own.company, "POST", `/bookings/${first.id}/cancel`, { body: {} });
    expect((await book(own, at, { headers })).status).toBe(201);
  });
});

describe("with a package", () => {
  test("a booking is confirmed and paid, takes a session, and needs no course", async () => {
    const own = await openSchool({});
    const { id: customerId } = await newCustomer(own.company, STUDENT);
    const { id } = await newPackage(own, { customer_id: customerId, sessions_total: 2 });
    const { body } = expectStatus(
      await book(own, {
        product_id: undefined,
        booking_date: DATE,
        start_time: "10:00",
        booking_package_id: id,
      }),
      201,
    );
    expect(body.booking).toMatchObject({ status: "confirmed", payment_status: "paid", total_amount: 0 });
    expect(body.payment).toMatchObject({ required: false, status: "not_required" });
    const path = `/packages?customer_email=${encodeURIComponent(STUDENT.email.toUpperCase())}`;
    const { packages } = JSON.parse((await schoolCall(own.company, "GET", path)).text);
    expect(packages).toMatchObject([{ id, sessions_used: 1, sessions_remaining: 1, status: "active" }]);
    await expectSound(own.company);
  });

  test("that is another's, a removed customer's, unknown, cancelled or over, a booking is one and the same 422", async () => {
    const own = await openSchool({});
    const { id: other } = await newCustomer(own.company, { name: "Zoe", email: "zoe@example.com" });
    const { id: mine } = await newCustomer(own.company, STUDENT);
    const { id: gone } = await newCustomer(own.company, STUDENT);
    const [foreign, left, cancelled, over] = await Promise.all([
      newPackage(own, { customer_id: other }),
      newPackage(own, { customer_id: gone }),
      newPackage(own, { customer_id: mine, status: "cancelled" }),
      newPackage(own, { customer_id: mine, expires_at: "2026-01-01T00:00:00Z" }),
    ]);
    await own.company.call("DELETE", `/customers/:company/${gone}`);
    const texts = new Set<string>();
    const before = await rowCounts(own.company);
    for (const id of [foreign.id, left.id, cancelled.id, over.id, 999_999]) {
      const at = { booking_date: DATE, start_time: "10:00", booking_package_id: id };
      for (const fields of [{}, { product_id: undefined }]) {
        const { status, body } = await book(own, { ...at, ...fields });
        expect([status, body.code]).toEqual([422, "package_not_found"]);
        texts.add(body.message);
      }
    }
    expect(texts.size).toBe(1);
    expect(await rowCounts(own.company)).toEqual(before);
  });

  test("from a browser, both the e-mail address and the phone must be the owner's", async () => {
    const own = await openSchool({});
    const { id: customerId } = await newCustomer(own.company, STUDENT);
    const { id } = await newPackage(own, { customer_id: customerId });
    const origin = "https://book.example.com";
    const key = await own.company.publishableKey(origin);
    const call = { key, headers: { Origin: origin } };
    const at = { booking_date: DATE, start_time: "10:00", booking_package_id: id };
    for (const customer of [
      { name: "Mia", email: STUDENT.email },
      { name: "Mia", phone: STUDENT.phone },
      { name: "Mia", email: STUDENT.email, phone: "0499 999 999" },
    ])
      expect((await book(own, { ...at, customer }, call)).body.code).toBe("package_not_found");
    expect((await book(own, at, call)).status).toBe(201);
  });

  test("of another course a booking is 422", async () => {
    const own = await openSchool({});
    const { id: customerId } = await newCustomer(own.company, STUDENT);
    const { id } = await newPackage(own, { customer_id: customerId });
    const product_id = await newCourse(own.company);
    const at = { booking_date: DATE, start_time: "10:00", booking_package_id: id, product_id };
    expect(await book(own, at)).toMatchObject({ status: 422, body: { code: "invalid_product" } });
  });
});

describe("from a browser", () => {
  const origin = "https://book.example.com";

  test("a visitor is sent back to the key's origins only", async () => {
    const own = await openSchool({});
    const key = await own.company.publishableKey(origin);
    const pages = { return_url: `${origin}/thanks`, cancel_url: "https://evil.example/" };
    const at = { booking_date: DATE, start_time: "10:00" };
    const call = { key, headers: { Origin: origin } };
    const answer = await book(own, { ...at, ...pages }, call);
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(refusedFields(answer as never)).toEqual({ cancel_url: "origin_not_allowed" });
    expect((await book(own, { ...at, ...pages, cancel_url: `${origin}/` }, call)).status).toBe(201);
  });
});
