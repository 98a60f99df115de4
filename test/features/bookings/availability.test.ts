import { beforeAll, describe, expect, test } from "vitest";
import type { TestCompany } from "../../support/company.ts";
import vectors from "../../vectors/availability.json" with { type: "json" };
import { setClock } from "../commerce.ts";
import {
  addOverride,
  availability,
  everyDay,
  newBooking,
  newInstructor,
  offered,
  onDay,
  openSchool,
  type School,
  schoolCall,
  setRules,
  setSchedule,
} from "../school.ts";

const TUESDAY = "2026-11-24";
const WINDOWS = ["09:00-12:00", "14:00-17:00"];
const NOW = "2026-11-23T00:00:00Z";

/** The school of the vectors: Tuesdays and Sundays. */
async function vectorSchool(): Promise<School> {
  const school = await openSchool({ timezone: "Asia/Kolkata" });
  await setSchedule(school, [...onDay(2, ...WINDOWS), ...onDay(7, ...WINDOWS)]);
  await setClock(school.company, NOW);
  return school;
}

async function bookAt(school: School, ...starts: string[]): Promise<void> {
  for (const start_time of starts) await newBooking(school, { booking_date: TUESDAY, start_time });
}

async function sydney(date: string, now: string): Promise<string[] | string | null> {
  const school = await openSchool(
    { timezone: "Australia/Sydney", country: "AU", currency: "AUD" },
    { windows: ["01:00-04:00"] },
  );
  await setRules(school.company, { buffer_minutes: 0 });
  await setClock(school.company, now);
  return offered(school, date);
}

// How each case of the vectors comes about, through the API.
const CASES: Record<string, (school: School) => Promise<string[] | string | null>> = {
  "no bookings": (school) => offered(school, TUESDAY),
  "booking 10:00-11:00": async (school) => {
    await bookAt(school, "10:00");
    return offered(school, TUESDAY);
  },
  "booking 10:00-11:00, buffer 0": async (school) => {
    await bookAt(school, "10:00");
    await setRules(school.company, { buffer_minutes: 0 });
    return offered(school, TUESDAY);
  },
  "duration 90, buffer 0": async (school) => {
    await setRules(school.company, { buffer_minutes: 0 });
    return offered(school, TUESDAY, "&duration_minutes=90");
  },
  "override available 10:00-11:30": async (school) => {
    await addOverride(school, { date: TUESDAY, is_available: true, start: "10:00", end: "11:30" });
    return offered(school, TUESDAY);
  },
  "override closed": async (school) => {
    await addOverride(school, { date: TUESDAY, is_available: false });
    return offered(school, TUESDAY);
  },
  "now 08:01 local that day": async (school) => {
    await setClock(school.company, `${TUESDAY}T08:01:00+05:30`);
    return offered(school, TUESDAY);
  },
  // The company's clock runs on, so this is a minute before; test/features/bookings/slots.test.ts has the instant itself.
  "now 08:00 local exactly": async (school) => {
    await setClock(school.company, `${TUESDAY}T07:59:00+05:30`);
    return offered(school, TUESDAY);
  },
  "date +90 days (a Sunday)": (school) => offered(school, "2027-02-21"),
  "date +91 days": (school) => offered(school, "2027-02-22"),
  "date -1 day": (school) => offered(school, "2026-11-22"),
  Wednesday: (school) => offered(school, "2026-11-25"),
  "duration 240": (school) => offered(school, TUESDAY, "&duration_minutes=240"),
  "now 15:30 local": async (school) => {
    await setClock(school.company, `${TUESDAY}T15:30:00+05:30`);
    return offered(school, TUESDAY);
  },
  "booked 09:00-17:00": async (school) => {
    await setRules(school.company, { buffer_minutes: 0 });
    await bookAt(school, "09:00", "10:00", "11:00", "14:00", "15:00", "16:00");
    await setRules(school.company, { buffer_minutes: 15 });
    return offered(school, TUESDAY);
  },
  "pending 10:00-11:00 with a live hold, or with no hold expiry": async (school) => {
    await bookAt(school, "10:00");
    const held = await offered(school, TUESDAY);
    const other = await vectorSchool();
    await setRules(other.company, { pending_hours: 0 });
    await bookAt(other, "10:00");
    expect(await offered(other, TUESDAY)).toEqual(held);
    return held;
  },
  "pending 10:00-11:00, hold expired": async (school) => {
    await setRules(school.company, { pending_hours: 1 });
    await bookAt(school, "10:00");
    await setClock(school.company, "2026-11-23T02:00:00Z");
    return offered(school, TUESDAY);
  },
  "unavailable 09:15-09:45, buffer 0, step = duration = 30": async (school) => {
    await setRules(school.company, { buffer_minutes: 0, slot_length_minutes: 30 });
    await addOverride(school, { date: TUESDAY, is_available: false, start: "09:15", end: "09:45" });
    return offered(school, TUESDAY);
  },
  "Australia/Sydney 2026-10-04, window 01:00-04:00, duration 60, buffer 0": () =>
    sydney("2026-10-04", "2026-10-01T00:00:00Z"),
  "Australia/Sydney 2026-04-05, window 01:00-04:00, duration 60, buffer 0": () =>
    sydney("2026-04-05", "2026-04-01T00:00:00Z"),
};

test.each(vectors.cases)("$case", async ({ case: name, expect: expected }) => {
  const arrange = CASES[name];
  if (arrange === undefined) throw new Error(`No arrangement of ${name}`);
  expect(await arrange(await vectorSchool())).toEqual(expected);
});

describe("GET /availability", () => {
  let school: School;
  let company: TestCompany;
  beforeAll(async () => {
    school = await vectorSchool();
    company = school.company;
  });

  test("tells the slots, the zone and the length", async () => {
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
      expect(await schoolCall(company, "GET", path)).toMatchObject({
        status: 404,
        body: { success: false, code: "not_found", resource: "instructor" },
      });
    }
  });

  test("is one request to the database, for a day and for a month, and is never cached", async () => {
    const { instructorId } = school;
    for (const path of [
      `/availability?instructor_id=${instructorId}&date=${TUESDAY}`,
      `/availability/dates?instructor_id=${instructorId}&from=2026-11-24&to=2026-12-24`,
    ]) {
      const before = await company.requests();
      const answer = await schoolCall(company, "GET", path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect((await company.requests()) - before).toBe(1);
    }
  });
});

describe("GET /availability/dates", () => {
  test("tells of each date whether it has a slot, and the first", async () => {
    const school = await vectorSchool();
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

  test("agrees with each date's own availability", async () => {
    const school = await openSchool(
      { timezone: "America/New_York" },
      { windows: ["00:30-04:00", "22:00-23:59"] },
    );
    await setRules(school.company, { min_notice_minutes: 600, slot_step_minutes: 30 });
    await setClock(school.company, "2026-10-20T12:00:00Z");
    const path = `/availability/dates?instructor_id=${school.instructorId}&from=2026-10-19&to=2026-11-08`;
    const { dates } = JSON.parse((await schoolCall(school.company, "GET", path)).text);
    expect(dates).toHaveLength(21);
    for (const { date, available, first_start } of dates) {
      const single = await availability(school, date);
      expect([available, first_start]).toEqual([single.available, single.slots[0]?.start ?? null]);
    }
  });

  test.each([
    ["from=2026-11-24&to=2026-12-25", "to"],
    ["from=2026-11-24&to=2026-11-23", "to"],
    ["from=2026-11-24", "to"],
  ])("?%s is 422", async (query, field) => {
    const { company, instructorId } = await openSchool({});
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
