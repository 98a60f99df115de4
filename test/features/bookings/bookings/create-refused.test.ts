import { describe, expect, test } from "vitest";
import { rowCounts } from "../../../support/oracles.ts";
import { refusedFields, setClock } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import {
  addOverride,
  book,
  daysAhead,
  newBooking,
  newCourse,
  newInstructor,
  openSchool,
} from "../../school.ts";

const DATE = daysAhead(7);

const school = await openSchool({}, { windows: ["09:00-12:00"] });

describe("a time that is not offered", () => {
  test("is 422 with the day's reason", async () => {
    await addOverride(school, { date: daysAhead(12), is_available: false });
    const cases = [
      [DATE, "09:30", "not_a_slot"],
      [DATE, "11:30", "not_a_slot"],
      [DATE, "13:00", "not_a_slot"],
      [daysAhead(12), "09:00", "closed"],
      [daysAhead(200), "09:00", "outside_advance_window"],
      [daysAhead(-2), "09:00", "past_date"],
    ] as const;
    const before = await rowCounts(school.company);
    for (const [booking_date, start_time, reason] of cases) {
      const answer = await book(school, { booking_date, start_time });
      expect(answer, `${booking_date} ${start_time}`).toMatchObject(
        refusal(422, "slot_not_offered", { reason }),
      );
    }
    expect(await rowCounts(school.company)).toEqual(before);
  });

  test("is 409 where it conflicts with an existing booking, a slot or not", async () => {
    const booking_date = daysAhead(9);
    await newBooking(school, { booking_date, start_time: "10:00" });
    for (const start_time of ["09:30", "10:00", "10:30"])
      expect(await book(school, { booking_date, start_time }), start_time).toMatchObject(
        refusal(409, "slot_unavailable"),
      );
    const free = await book(school, { booking_date, start_time: "11:30" });
    expect(free).toMatchObject(refusal(422, "slot_not_offered", { reason: "not_a_slot" }));
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
    const [{ start_at } = {}] = await own.company.rows("SELECT start_at FROM bookings");
    expect(new Date(Number(start_at)).toISOString()).toBe("2026-10-03T16:00:00.000Z");
  });
});

test("a body that names what cannot be booked is 422, and writes nothing", async () => {
  const { company } = school;
  const [inactive, manual, bundle, shirt, retired] = await Promise.all([
    newInstructor(company, { is_active: false }),
    newInstructor(company, { transmission: "manual" }),
    newCourse(company, { is_package: true, sessions: 5 }),
    newCourse(company, { transmission: null }),
    newCourse(company, { status: "inactive" }),
  ]);
  type Case = [fields: Record<string, unknown>, code: string, refused: Record<string, string>];
  const cases: Case[] = [
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
    ...["http://a.example/x", "https://a.example@b.example/", "javascript:alert(1)"].map(
      (return_url): Case => [
        { return_url, cancel_url: "https://a.example" },
        "validation_failed",
        { return_url: "invalid" },
      ],
    ),
  ];
  const before = await rowCounts(company);
  for (const [fields, code, refused] of cases) {
    const answer = await book(school, { booking_date: DATE, start_time: "10:00", ...fields });
    expect(answer, JSON.stringify(fields)).toMatchObject({ status: 422, body: { success: false, code } });
    expect(refusedFields(answer as never)).toEqual(refused);
  }
  expect(await rowCounts(company)).toEqual(before);
});
