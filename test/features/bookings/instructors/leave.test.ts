import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { soundAtEnd } from "../../../support/oracles.ts";
import { setClock } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import {
  type BookingRecord,
  daysAhead,
  everyDay,
  newBooking,
  newInstructor,
  openSchool,
  readBooking,
  type School,
  STUDENT,
  setRules,
} from "../../school.ts";

type Told = {
  warnings?: string[];
  affected_count?: number;
  affected_bookings?: { id: string; booking_number: string; start_at: string; customer: object }[];
};
const DATE = daysAhead(7);
const SETTINGS = "/settings/:company/instructors";

async function openLeaveSchool(): Promise<School> {
  const school = await openSchool({ timezone: "Asia/Kolkata" });
  await setRules(school.company, { buffer_minutes: 0, pending_hours: 0 });
  return school;
}

let learners = 0;
const shared = soundAtEnd(await openLeaveSchool());

/** An instructor of their own in the school, with lessons of one learner. */
async function withLessons(times: string[], within = shared, learner?: typeof STUDENT) {
  const { id: instructorId } = await newInstructor(within.company, { schedule: everyDay("09:00-17:00") });
  const school = { ...within, instructorId };
  learners += 1;
  const customer = learner ?? { name: "Leo", email: `leo-${learners}@example.com` };
  const lessons: BookingRecord[] = [];
  for (const start_time of times)
    lessons.push(await newBooking(school, { booking_date: DATE, start_time, customer }));
  return { school, lessons };
}

async function change(school: School, method: string, path: string, body?: object): Promise<Told> {
  const answer = await school.company.call<Told>(method, `${SETTINGS}/${school.instructorId}${path}`, {
    body,
  });
  return must(answer, method === "POST" ? 201 : 200).body.data;
}

// What two calls of one kind do not share.
const SET_BY_THE_CALL = { id: 0, created_at: "", updated_at: "" };
const hit = ({ affected_bookings: bookings = [] }: Told) => bookings.map(({ id }) => id);
const away = (fields: object) => ({ date: DATE, is_available: false, ...fields });

describe("leave is answered with the lessons that it hits", () => {
  test("which stay as they are", async () => {
    const { school, lessons } = await withLessons(["10:00", "14:00"], shared, STUDENT);
    const told = await change(school, "POST", "/overrides", away({ start: "09:00", end: "12:00" }));
    expect(told).toMatchObject({ warnings: ["bookings_affected"], affected_count: 1 });
    expect(told.affected_bookings).toEqual([
      {
        id: lessons[0]?.id,
        booking_number: lessons[0]?.booking_number,
        start_at: new Date(`${DATE}T10:00:00+05:30`).toISOString(),
        contact: STUDENT,
        customer: { id: expect.any(String), ...STUDENT },
      },
    ]);
    for (const { id } of lessons) expect((await readBooking(school.company, id)).status).toBe("pending");
  });

  test("and with nothing where it hits none: another time, another date, a lesson that is cancelled or past", async () => {
    const { school, lessons } = await withLessons(["10:00", "11:00", "14:00"], await openLeaveSchool());
    for (const body of [away({ start: "12:00", end: "14:00" }), { ...away({}), date: daysAhead(8) }]) {
      const told = Object.keys(await change(school, "POST", "/overrides", body));
      expect(told.filter((name) => /warn|affected/.test(name))).toEqual([]);
    }
    await school.company.call("POST", `/schools/:company/bookings/${lessons[1]?.id}/cancel`, { body: {} });
    await setClock(school.company, `${DATE}T11:30:00+05:30`);
    const rest = await change(school, "POST", "/overrides", away({}));
    expect(hit(rest)).toEqual([lessons[2]?.id]);
  });

  test.each([
    ["other times that day", { is_available: true, start: "10:30", end: "18:00" }, [0]],
    ["times that hold both", { is_available: true, start: "10:00", end: "15:00" }, []],
    ["a cut that touches neither", { is_available: false, start: "11:00", end: "14:00" }, []],
  ])("by the rules of availability: %s", async (_what, fields, expected) => {
    const { school, lessons } = await withLessons(["10:00", "14:00"]);
    const told = await change(school, "POST", "/overrides", { date: DATE, ...fields });
    expect(hit(told)).toEqual(expected.map((index) => lessons[index]?.id));
  });
});

describe("a new week is answered with the lessons outside of it", () => {
  test.each([
    ["mornings only", everyDay("09:00-13:00"), [1]],
    ["no day at all", [], [0, 1]],
    ["windows that touch in the middle of a lesson", everyDay("09:00-10:30", "10:30-15:00"), []],
    ["windows that leave a gap in a lesson", everyDay("09:00-10:30", "10:45-15:00"), [0]],
  ])("%s", async (_what, schedule, expected) => {
    const { school, lessons } = await withLessons(["10:00", "14:00"]);
    const told = await change(school, "PUT", "/schedule", { schedule });
    expect(hit(told)).toEqual(expected.map((index) => lessons[index]?.id));
    expect(told.affected_count).toBe(expected.length === 0 ? undefined : expected.length);
  });
});

test("switching an instructor off is answered with all lessons to come, other changes with none", async () => {
  const { school, lessons } = await withLessons(["10:00", "14:00"]);
  expect((await change(school, "PATCH", "", { bio: "Calm" })).warnings).toBeUndefined();
  const told = await change(school, "PATCH", "", { is_active: false });
  expect(told).toMatchObject({ warnings: ["bookings_affected"], affected_count: 2, is_active: false });
  expect(hit(told)).toEqual(lessons.map(({ id }) => id));
});

test("removing a date is answered with the lessons that the week does not hold", async () => {
  const { school } = await withLessons(["10:00"]);
  const lesson = await change(school, "POST", "/overrides", {
    date: DATE,
    is_available: true,
    start: "09:00",
    end: "15:00",
  });
  await change(school, "PUT", "/schedule", { schedule: everyDay("12:00-18:00") });
  const { id } = lesson as unknown as { id: number };
  expect(await change(school, "DELETE", `/overrides/${id}`)).toMatchObject({
    id,
    deleted: true,
    affected_count: 1,
  });
});

describe("with dry_run", () => {
  test.each<[what: string, method: string, path: string, body: object]>([
    ["a day away", "POST", "/overrides", away({})],
    ["a new week", "PUT", "/schedule", { schedule: [] }],
    ["an instructor who is switched off", "PATCH", "", { is_active: false }],
  ])("%s is answered as if it were made", async (_what, method, path, body) => {
    const { school } = await withLessons(["10:00"]);
    const tried = await change(school, method, `${path}?dry_run=true`, body);
    expect(tried).toMatchObject({ affected_count: 1 });
    const made = await change(school, method, path, body);
    expect({ ...made, ...SET_BY_THE_CALL }).toEqual({ ...tried, ...SET_BY_THE_CALL });
  });

  test("a value that is neither true nor false is refused", async () => {
    const { school } = await withLessons(["10:00"]);
    const path = `${SETTINGS}/${school.instructorId}/overrides?dry_run=maybe`;
    const answer = await school.company.call("POST", path, { body: away({}) });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: "dry_run" }] } });
  });

  test("a write that has none refuses it, one that has it refuses a longer name, and neither does anything", async () => {
    const { company, instructorId } = await openSchool();
    const own = `${SETTINGS}/${instructorId}/overrides`;
    const longer = ["dry_run[]", "dry_run[0]", "dry_run.x", " dry_run"];
    for (const [path, body, fields] of [
      ["/customers/:company", { name: "Meera" }, ["dry_run", ...longer]],
      [own, away({}), longer],
    ] as const) {
      for (const field of fields)
        expect(
          await company.call("POST", `${path}?${encodeURIComponent(field)}=true`, { body }),
        ).toMatchObject(
          refusal(422, "unknown_parameter", { errors: [{ field, code: "unknown_parameter" }] }),
        );
      expect((await company.call("GET", path)).body.data).toEqual([]);
    }
  });
});
