import { expect, test } from "vitest";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { book, daysAhead, newCourse, newInstructor, openSchool, schoolCall, setRules } from "../../school.ts";

const ORIGIN = "https://book.example.com";

type Read = Record<string, unknown>;
type Dates = { dates: { date: string; available: boolean; first_start: string | null }[] };

test("slots equal /availability on 31 days of 4 instructors", async () => {
  const { company } = await openSchool({}, { windows: [] });
  await setRules(company, { advance_days: 25, slot_step_minutes: 45, min_notice_minutes: 1_500 });
  const courseId = await newCourse(company);
  const key = await company.publishableKey(ORIGIN);
  let seed = 20_261_123;
  const upTo = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const window = () => {
    const start = 360 + 30 * upTo(16);
    return { start: clockTimeToWire(start), end: clockTimeToWire(start + 60 + 30 * upTo(12)) };
  };
  const [from, to] = [daysAhead(-2), daysAhead(28)];
  let told = 0;
  const teach = async (place: number) => {
    const schedule = [1, 2, 3, 4, 5, 6, 7]
      .filter(() => upTo(4) > 0)
      .map((weekday) => ({ weekday, ...window() }));
    const { id } = await newInstructor(company, { name: `Instructor ${place}`, schedule });
    for (const is_available of [false, true, false]) {
      const body = {
        date: daysAhead(1 + upTo(25)),
        is_available,
        ...(upTo(3) > 0 || is_available ? window() : {}),
      };
      await company.call("POST", `/settings/:company/instructors/${id}/overrides`, { body });
    }
    const call = { key, headers: { Origin: ORIGIN, "CF-Connecting-IP": `10.1.${place}.1` } };
    const query = `/availability/dates?instructor_id=${id}&from=${from}&to=${to}`;
    const free = (await schoolCall<Dates>(company, "GET", query, call)).body.dates;
    for (const { date, first_start } of free.filter(() => upTo(3) === 0)) {
      const customer = { name: "Mia", email: `mia${place}-${date}@example.com` };
      const at = { customer, booking_date: date, start_time: first_start };
      if (first_start !== null) await book({ company, instructorId: id, courseId }, at);
    }
    const { dates } = (await schoolCall<Dates>(company, "GET", `${query}&slots=true`, call)).body;
    expect(dates).toHaveLength(31);
    for (const day of dates) {
      const path = `/availability?instructor_id=${id}&date=${day.date}`;
      const { slots, reason, available } = (await schoolCall<Read>(company, "GET", path, call)).body;
      expect(day).toMatchObject({ slots, reason, available });
      told += (slots as unknown[]).length;
    }
    const plain = (await schoolCall<Dates>(company, "GET", query, call)).body.dates;
    expect(plain).toEqual(
      dates.map(({ date, available, first_start }) => ({ date, available, first_start })),
    );
  };
  await Promise.all([0, 1, 2, 3].map(teach));
  expect(told).toBeGreaterThan(100);
});
