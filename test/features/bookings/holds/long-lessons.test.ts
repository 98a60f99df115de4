import { expect, test, vi } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { refusal } from "../../refusal.ts";
import { book, daysAhead, newCourse, type School } from "../../school.ts";
import { openUsual } from "./page.ts";

vi.setConfig({ testTimeout: 120_000 });

const REFUSED = { status: 429, body: { code: "too_many_holds", limit: "day" } };
type Ways = Parameters<typeof openUsual>[0];

/** A school of slots of an hour, with a lesson that has no length of its own. */
async function openAnyLength(ways: Ways = {}) {
  const page = await openUsual(ways);
  const courseId = await newCourse(page.company, { name: "Any length", duration_minutes: null });
  return { ...page, any: { ...page.school, courseId } satisfies School };
}

test("a visitor makes a lesson without a length of its own twice the default slot length at most, by either field", async () => {
  const { company, any, ask } = await openAnyLength();
  const asked = (day: number, fields: object) => ask(day, "09:00", fields, undefined, any);
  for (const [fields, field, message] of [
    [{ duration_minutes: 480 }, "duration_minutes", "must be at most 120 minutes"],
    [{ duration_minutes: 121, end_time: "11:01" }, "duration_minutes", "must be at most 120 minutes"],
    [{ end_time: "17:00" }, "end_time", "must be within 120 minutes of start_time"],
  ] as const)
    expect(await asked(7, fields)).toMatchObject(
      refusal(422, "duration_not_offered", {
        errors: [{ field, code: "too_big", message: `${message}: for a longer lesson, ask the school` }],
      }),
    );
  expect((await asked(7, { duration_minutes: 120 })).body.booking).toMatchObject({ end_time: "11:00" });
  expect((await asked(8, { end_time: "11:00" })).body.booking).toMatchObject({ end_time: "11:00" });
  await expectSound(company);
});

test("a server and staff give such a lesson any length, and a course that has one keeps it", async () => {
  const { company, any, school, ask } = await openAnyLength();
  const at = { booking_date: daysAhead(7), start_time: "09:00", duration_minutes: 480 };
  expect((await book(any, at)).body.booking).toMatchObject({ end_time: "17:00" });
  const byStaff = await company.call<{ end_time: string }>("POST", "/settings/:company/bookings", {
    body: {
      ...{ ...at, booking_date: daysAhead(8) },
      ...{ customer: { name: "Mia", email: "mia@example.com" } },
      ...{ instructor_id: any.instructorId, product_id: any.courseId },
    },
  });
  expect(byStaff).toMatchObject({ status: 201, body: { data: { end_time: "17:00" } } });
  const intensive = { ...school, courseId: await newCourse(company, { duration_minutes: 360 }) };
  const made = await ask(9, "09:00", {}, undefined, intensive);
  expect(made.body.booking).toMatchObject({ end_time: "15:00" });
});

test("lessons longer than the usual take half of an instructor's day from one address, the first always", async () => {
  const { company, any, school, ask } = await openAnyLength();
  const long = (day: number, time: string) => ask(day, time, { duration_minutes: 120 }, undefined, any);
  expect((await long(7, "09:00")).status).toBe(201);
  // Twice two hours and a quarter are more than half of eight hours; with one usual lesson they are not.
  expect(await long(7, "11:30")).toMatchObject(REFUSED);
  expect((await ask(7, "11:30")).status).toBe(201);
  expect(await ask(7, "12:45")).toMatchObject(REFUSED);
  expect((await ask(7, "12:45", {}, "203.0.113.78")).status).toBe(201);

  const intensive = { ...school, courseId: await newCourse(company, { duration_minutes: 360 }) };
  expect((await ask(8, "09:00", {}, undefined, intensive)).status).toBe(201);
  expect(await ask(8, "15:15")).toMatchObject(REFUSED);
  await expectSound(company);
});

test("three usual lessons of a day are within every address's share, also where that is most of a short day", async () => {
  const { company, any, ask } = await openAnyLength({ windows: ["09:00-14:00"] });
  for (const time of ["09:00", "10:15", "11:30"]) expect((await ask(7, time)).status).toBe(201);
  expect(await ask(7, "12:45")).toMatchObject(REFUSED);
  const long = { duration_minutes: 120 };
  expect((await ask(8, "09:00")).status).toBe(201);
  expect(await ask(8, "10:15", long, undefined, any)).toMatchObject(REFUSED);
  await expectSound(company);
});
