import { expect, test } from "vitest";
import type { Call } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer } from "../commerce.ts";
import { newProduct } from "../money.ts";
import { refusal } from "../refusal.ts";
import {
  book,
  browserOf,
  daysAhead,
  newBooking,
  newCourse,
  newInstructor,
  newPackage,
  openSchool,
  type School,
  STUDENT,
  schoolCall,
  setRules,
} from "../school.ts";

const DATE = daysAhead(7);

/** A school whose slots are of 90 minutes, with a lesson that has no length of its own. */
async function open(): Promise<School & { lessonId: number }> {
  const school = await openSchool({});
  await setRules(school.company, { slot_length_minutes: 90, slot_step_minutes: 30, buffer_minutes: 0 });
  const lessonId = await newCourse(school.company, { name: "Any length", duration_minutes: null });
  return { ...school, lessonId };
}

test("a lesson without a length of its own takes duration_minutes, else end_time, else the default slot length", async () => {
  const school = await open();
  const at = (start_time: string, fields = {}) =>
    newBooking(school, { product_id: school.lessonId, booking_date: DATE, start_time, ...fields });
  expect(await at("09:00", { duration_minutes: 45 })).toMatchObject({ end_time: "09:45" });
  expect(await at("10:00")).toMatchObject({ end_time: "11:30" });
  expect(await at("12:00", { end_time: "14:00" })).toMatchObject({ end_time: "14:00" });
  expect(await at("15:00", { duration_minutes: 60, end_time: "16:00" })).toMatchObject({ total_amount: 75 });
  await expectSound(school.company);
});

test("where both are sent they agree, and a lesson is of 15 minutes to 8 hours", async () => {
  const school = await open();
  const at = { product_id: school.lessonId, booking_date: DATE, start_time: "09:00" };
  for (const [fields, code, length] of [
    [{ duration_minutes: 60, end_time: "10:30" }, "end_time_mismatch", 60],
    [{ end_time: "09:10" }, "end_time_mismatch", 90],
    [{ end_time: "08:00" }, "end_time_mismatch", 90],
  ] as const)
    expect(await book(school, { ...at, ...fields })).toMatchObject(
      refusal(422, code, { duration_minutes: length }),
    );
});

test("such a lesson is a course of the default slot length, and a package's lesson", async () => {
  const { company, lessonId, ...school } = await open();
  const { courses } = JSON.parse((await schoolCall(company, "GET", "/courses")).text);
  expect(courses).toContainEqual(expect.objectContaining({ id: lessonId, duration_minutes: 90 }));
  const bundle = { is_package: true, sessions: 3, lesson_product_id: lessonId };
  const bundleId = await newCourse(company, bundle);
  const own = { ...school, company, courseId: bundleId };
  expect(await newBooking(own, { booking_date: DATE, start_time: "09:00" })).toMatchObject({
    end_time: "10:30",
  });
  const { id: customer_id } = await newCustomer(company, STUDENT);
  const { id } = await newPackage({ ...school, company, courseId: lessonId }, { customer_id });
  const prepaid = { booking_date: DATE, start_time: "11:00", product_id: null, booking_package_id: id };
  expect(await newBooking(own, { ...prepaid, duration_minutes: 30 })).toMatchObject({ end_time: "11:30" });
});

test("availability of a course is for its length, or is refused as its booking is, for visitors and staff", async () => {
  const { company, lessonId, ...school } = await open();
  const long = await newCourse(company, { duration_minutes: 120 });
  const bundle = { is_package: true, sessions: 3, lesson_product_id: long };
  const bundleId = await newCourse(company, bundle);
  const manual = await newCourse(company, { transmission: "manual" });
  const archived = await newCourse(company, { status: "inactive" });
  const { id: noLesson } = await newProduct(company, { duration_minutes: 60 });
  const { id: teacher } = await newInstructor(company, { name: "Tom Reid", transmission: "auto" });
  const visitor = await browserOf(company);
  const ask = (query: string, instructor = school.instructorId, call = visitor as Call) =>
    schoolCall(company, "GET", `/availability${query}&instructor_id=${instructor}`, call);
  for (const call of [visitor, {}]) {
    for (const [product, minutes] of [
      [lessonId, 90],
      [long, 120],
      [bundleId, 120],
    ] as const) {
      const { body } = await ask(`?date=${DATE}&product_id=${product}`, school.instructorId, call);
      expect(body).toMatchObject({ available: true, duration_minutes: minutes });
      const range = `/dates?from=${DATE}&to=${DATE}&slots=1&product_id=${product}`;
      const { dates } = (await ask(range, school.instructorId, call)).body;
      expect(dates).toMatchObject([{ slots: body.slots }]);
    }
    for (const product of [99_999, noLesson, archived])
      expect(await ask(`?date=${DATE}&product_id=${product}`, school.instructorId, call)).toMatchObject(
        refusal(422, "invalid_product", { errors: [{ field: "product_id", code: "not_a_lesson" }] }),
      );
    expect(await ask(`?date=${DATE}&product_id=${manual}`, teacher, call)).toMatchObject(
      refusal(422, "invalid_instructor"),
    );
  }
  const longer = `?date=${DATE}&product_id=${long}&duration_minutes=150`;
  expect(await ask(longer)).toMatchObject(refusal(422, "duration_not_offered"));
  expect((await ask(longer, school.instructorId, {})).body).toMatchObject({ duration_minutes: 150 });
});

test("a booking that the school's page reads names its course", async () => {
  const { company, lessonId, ...school } = await open();
  const { id } = await newBooking(
    { ...school, company, courseId: lessonId },
    { booking_date: DATE, start_time: "09:00" },
  );
  const call = await browserOf(company);
  expect((await schoolCall(company, "GET", `/bookings/${id}`, call)).body.booking).toMatchObject({
    course: { id: lessonId, name: "Any length" },
  });
});
