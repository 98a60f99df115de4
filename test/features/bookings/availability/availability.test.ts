import { describe, expect, test } from "vitest";
import { requestsOf } from "../../../support/round-trips.ts";
import { setClock } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import {
  availability,
  everyDay,
  newInstructor,
  offered,
  openSchool,
  schoolCall,
  setRules,
  setSchedule,
} from "../../school.ts";
import { bookAt, NOW, TUESDAY, vectorSchool } from "./vector-school.ts";

describe("GET /availability", async () => {
  const school = await vectorSchool();
  const company = school.company;

  test("returns the slots, the zone and the length", async () => {
    expect(await availability(school, TUESDAY, "&duration_minutes=150")).toEqual({
      success: true,
      available: true,
      reason: null,
      message: null,
      slots: [
        { start: "09:00", end: "11:30" },
        { start: "14:00", end: "16:30" },
      ],
      date: TUESDAY,
      timezone: "Asia/Kolkata",
      duration_minutes: 150,
    });
  });

  test("answers 200 with a reason and no slots where nothing is free", async () => {
    expect(await availability(school, "2026-11-22")).toMatchObject({
      success: true,
      available: false,
      reason: "past_date",
      message: expect.stringContaining("passed"),
      slots: [],
    });
  });

  test.each([
    ["", { instructor_id: "required", date: "required" }],
    ["instructor_id=x&date=2026-11-24", { instructor_id: "invalid_id" }],
    ["instructor_id=1&date=2026-02-30", { date: "invalid_date" }],
    ["instructor_id=1&date=24.11.2026", { date: "invalid_date" }],
    ["instructor_id=1&date=2026-11-24&duration_minutes=14", { duration_minutes: "invalid" }],
    ["instructor_id=1&date=2026-11-24&duration_minutes=481", { duration_minutes: "invalid" }],
    ["instructor_id=1&date=2026-11-24&duration_minutes=1e2", { duration_minutes: "invalid" }],
  ])("?%s is 422", async (query, fields) => {
    const { status, body } = await schoolCall(company, "GET", `/availability?${query}`);
    expect(status).toBe(422);
    expect(Object.fromEntries(body.errors.map(({ field, code }) => [field, code]))).toEqual(fields);
  });

  test("an unknown, inactive or deleted instructor is 404", async () => {
    const inactive = await newInstructor(company, { is_active: false });
    const deleted = await newInstructor(company);
    await company.call("DELETE", `/settings/:company/instructors/${deleted.id}`);
    for (const id of [999_999, inactive.id, deleted.id]) {
      const path = `/availability?instructor_id=${id}&date=${TUESDAY}`;
      expect(await schoolCall(company, "GET", path)).toMatchObject(
        refusal(404, "not_found", { success: false, resource: "instructor" }),
      );
    }
  });

  test("is one request to the database, for a day and for a month, and is never cached", async () => {
    const { instructorId } = school;
    for (const path of [
      `/availability?instructor_id=${instructorId}&date=${TUESDAY}`,
      `/availability/dates?instructor_id=${instructorId}&from=2026-11-24&to=2026-12-24`,
    ]) {
      const read = async () => {
        const answer = await schoolCall(company, "GET", path);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("Cache-Control")).toBe("no-store");
      };
      expect(await requestsOf(company, read)).toBe(1);
    }
  });
});

describe("GET /availability/dates", async () => {
  const school = await vectorSchool();

  test("returns for each date whether it has a slot, and the first", async () => {
    await bookAt(school, "09:00");
    const path = `/availability/dates?instructor_id=${school.instructorId}&from=2026-11-22&to=2026-11-25`;
    expect(JSON.parse((await schoolCall(school.company, "GET", path)).text)).toEqual({
      success: true,
      timezone: "Asia/Kolkata",
      dates: [
        { date: "2026-11-22", available: false, first_start: null },
        { date: "2026-11-23", available: false, first_start: null },
        { date: "2026-11-24", available: true, first_start: "11:00" },
        { date: "2026-11-25", available: false, first_start: null },
      ],
    });
  });

  test.each([
    ["from=2026-11-24&to=2026-12-25", "to"],
    ["from=2026-11-24&to=2026-11-23", "to"],
    ["from=2026-11-24", "to"],
  ])("?%s is 422", async (query, field) => {
    const { company, instructorId } = school;
    const answer = await schoolCall(
      company,
      "GET",
      `/availability/dates?instructor_id=${instructorId}&${query}`,
    );
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });
});

test("a new time zone of the school moves its windows, not its bookings", async () => {
  const school = await openSchool({ timezone: "Asia/Kolkata" });
  await setSchedule(school, everyDay("09:00-12:00"));
  await setClock(school.company, NOW);
  await bookAt(school, "09:00");
  await setRules(school.company, { timezone: "Asia/Dubai", buffer_minutes: 0 });
  // 09:00 in Kolkata is 07:30 in Dubai.
  expect(await availability(school, TUESDAY)).toMatchObject({
    timezone: "Asia/Dubai",
    slots: [{ start: "09:00" }, { start: "10:00" }, { start: "11:00" }],
  });
  await setSchedule(school, everyDay("07:00-10:00"));
  expect(await offered(school, TUESDAY)).toEqual(["09:00"]);
});
