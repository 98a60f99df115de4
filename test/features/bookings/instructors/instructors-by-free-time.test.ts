import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../../support/company.ts";
import { requestsOf } from "../../../support/round-trips.ts";
import { setClock } from "../../commerce.ts";
import { onlyRules } from "../../notifications/notified.ts";
import { daysAhead, everyDay, newBooking, newInstructor, onDay, openSchool } from "../../school.ts";
import { list, names } from "./instructor-list.ts";

describe("by what they have free", async () => {
  const TUESDAY = "2026-11-24";
  const school = await openSchool({ timezone: "Asia/Kolkata" }, { windows: ["09:00-12:00"] });
  const company = school.company;
  await newInstructor(company, { name: "Evenings", schedule: onDay(2, "17:00-19:00") });
  await newInstructor(company, {
    name: "Afternoons",
    schedule: [...onDay(2, "12:00-14:00"), ...onDay(3, "12:00-13:00")],
  });
  await newInstructor(company, { name: "Never" });
  await setClock(company, "2026-11-23T05:00:00Z");
  for (const start_time of ["09:00", "11:00"])
    await newBooking(school, { booking_date: TUESDAY, start_time });

  test.each([
    ["2026-11-24", ["Afternoons", "Evenings"]],
    ["2026-11-24&time_of_day=morning", []],
    ["2026-11-24&time_of_day=afternoon", ["Afternoons"]],
    ["2026-11-24&time_of_day=evening", ["Evenings"]],
    ["2026-11-25", ["Afternoons", "Priya Raman"]],
    ["2026-11-25&time_of_day=morning", ["Priya Raman"]],
    ["2026-11-22", []],
    ["2027-11-25", []],
  ])("available_date=%s: %j", async (query, expected) => {
    expect(await names(company, `?available_date=${query}`)).toEqual(expected);
  });

  test("time_of_day alone narrows nothing", async () => {
    expect(await names(company, "?time_of_day=evening")).toHaveLength(4);
  });

  test("with_next adds each one's first free slot", async () => {
    const listed = await list(company, "?with_next=true");
    const next = Object.fromEntries(listed.map(({ name, next_available }) => [name, next_available]));
    expect(next).toEqual({
      Afternoons: { date: TUESDAY, start: "12:00", end: "13:00", timezone: "Asia/Kolkata" },
      Evenings: { date: TUESDAY, start: "17:00", end: "18:00", timezone: "Asia/Kolkata" },
      Never: null,
      "Priya Raman": { date: "2026-11-25", start: "09:00", end: "10:00", timezone: "Asia/Kolkata" },
    });
    for (const flag of ["false", "0"])
      expect(await list(company, `?with_next=${flag}`)).not.toContainEqual(
        expect.objectContaining({ next_available: expect.anything() }),
      );
  });

  test("duration_minutes asks for lessons of that length", async () => {
    const next = async (minutes: number) =>
      (await list(company, `?with_next=true&duration_minutes=${minutes}`)).map(
        ({ name, next_available: slot }) => [name, slot && `${slot.date} ${slot.start}-${slot.end}`],
      );
    expect(Object.fromEntries(await next(90))).toEqual({
      Afternoons: `${TUESDAY} 12:00-13:30`,
      Evenings: `${TUESDAY} 17:00-18:30`,
      Never: null,
      "Priya Raman": "2026-11-25 09:00-10:30",
    });
    expect(Object.fromEntries(await next(150))).toMatchObject({
      Afternoons: null,
      Evenings: null,
      "Priya Raman": "2026-11-25 09:00-11:30",
    });
    const on = (date: string, minutes: number) =>
      names(company, `?available_date=${date}&duration_minutes=${minutes}`);
    expect(await on("2026-11-25", 60)).toEqual(["Afternoons", "Priya Raman"]);
    expect(await on("2026-11-25", 90)).toEqual(["Priya Raman"]);
  });

  test("both together work, and overrides count", async () => {
    const own = await openSchool({ timezone: "Asia/Kolkata" }, { windows: ["09:00-10:00"] });
    await setClock(own.company, "2026-11-23T05:00:00Z");
    const path = `/settings/:company/instructors/${own.instructorId}/overrides`;
    for (const date of ["2026-11-24", "2026-11-25"])
      must(await own.company.call("POST", path, { body: { date, is_available: false } }), 201);
    expect(await list(own.company, "?available_date=2026-11-24")).toEqual([]);
    const [one] = await list(own.company, "?available_date=2026-11-26&with_next=1");
    expect(one?.next_available).toMatchObject({ date: "2026-11-26", start: "09:00" });
  });

  test("an instructor booked up for weeks is searched further on, in one more read for no other instructor", async () => {
    const own = await openSchool({ timezone: "Asia/Kolkata" }, { windows: ["09:00-10:00"] });
    await own.company.raiseLimit();
    // Their jobs would be counted.
    await onlyRules(own.company, {});
    await newInstructor(own.company, { name: "Free", schedule: everyDay("09:00-10:00") });
    await newInstructor(own.company, { name: "Never" });
    const next = async (query = "") => {
      let dates: Record<string, string | undefined> = {};
      const reads = await requestsOf(own.company, async () => {
        const listed = await list(own.company, `?with_next=true${query}`);
        dates = Object.fromEntries(listed.map(({ name, next_available: slot }) => [name, slot?.date]));
      });
      return { dates, reads };
    };
    await setClock(own.company, "2026-11-23T05:00:00Z");
    expect((await next()).reads).toBe(2);
    // From tomorrow on to the day after the fourteenth.
    for (let ahead = 1; ahead <= 16; ahead += 1) {
      const booking_date = new Date(Date.UTC(2026, 10, 23 + ahead)).toISOString().slice(0, 10);
      await newBooking(own, { booking_date, start_time: "09:00" });
    }
    const dates = { Free: "2026-11-24", Never: undefined, "Priya Raman": "2026-12-10" };
    expect(await next()).toEqual({ dates, reads: 3 });
    expect(await next("&available_date=2026-12-20")).toEqual({
      dates: { Free: dates.Free, "Priya Raman": "2026-12-10" },
      reads: 3,
    });
    expect(await next("&available_date=2026-12-09")).toEqual({ dates: { Free: dates.Free }, reads: 2 });
  });

  test("is asked of 50 and of 200 instructors in two reads", async () => {
    const own = await openCompany();
    const { id } = await newInstructor(own, { schedule: everyDay("09:00-17:00") });
    const columns = await own.rows("SELECT name FROM pragma_table_info('instructors')");
    const alike = columns
      .map(({ name }) => String(name))
      .filter((name) => name !== "id" && name !== "operation");
    let made = 1;
    for (const count of [50, 200]) {
      await own.rows(
        `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO instructors (operation, ${alike}) SELECT 'copy ' || i, ${alike} FROM instructors, n WHERE id = ?3`,
        made + 1,
        count,
        id,
      );
      made = count;
      for (const query of ["?with_next=true", `?available_date=${daysAhead(7)}`]) {
        const read = async () => expect(await list(own, query)).toHaveLength(count);
        expect(await requestsOf(own, read)).toBe(2);
      }
    }
  });
});
