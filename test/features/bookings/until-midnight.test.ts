import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { wrongField } from "../refusal.ts";
import {
  addOverride,
  availability,
  book,
  daysAhead,
  everyDay,
  newBooking,
  newInstructor,
  offered,
  openSchool,
  SYDNEY,
} from "../school.ts";

const LAST = ["20:00", "21:00", "22:00", "23:00"];
const rules = { buffer_minutes: 0, slot_length_minutes: 60 };

async function lateSchool(end: string) {
  const school = await openSchool(SYDNEY, { windows: [`20:00-${end}`] });
  await school.company.call("PATCH", "/settings/:company/booking-settings", { body: rules });
  return school;
}

// 24:00 is the end of a day in ISO 8601 (4.3.13 of its part 1); as an end, 00:00 can mean nothing else.
describe.each(["24:00", "00:00"])("a window until %s", (end) => {
  test("ends with its day: its last lesson is offered and booked", async () => {
    const school = await lateSchool(end);
    const { schedule } = await newInstructor(school.company, { schedule: everyDay(`20:00-${end}`) });
    expect(schedule[0]).toEqual({ weekday: 1, start: "20:00", end: "24:00" });
    expect(await offered(school, daysAhead(4))).toEqual(LAST);
    const { slots } = await availability(school, daysAhead(4));
    expect(slots.at(-1)).toMatchObject({ start: "23:00", end: "24:00" });
    const late = { booking_date: daysAhead(4), start_time: "23:00", end_time: end };
    const booking = await newBooking(school, late);
    expect(booking).toMatchObject({ start_time: "23:00", end_time: "24:00" });
    expect((await book(school, late)).status).toBe(409);
    expect(await school.company.read<unknown[]>("/settings/:company/bookings?outside_hours=true")).toEqual(
      [],
    );
  });

  test("replaces the week of one date, or is taken out of it", async () => {
    const school = await openSchool(SYDNEY, { windows: ["20:00-22:00"] });
    await school.company.call("PATCH", "/settings/:company/booking-settings", { body: rules });
    await addOverride(school, { date: daysAhead(4), is_available: true, start: "22:00", end });
    await addOverride(school, { date: daysAhead(5), is_available: false, start: "21:00", end });
    expect(await offered(school, daysAhead(4))).toEqual(["22:00", "23:00"]);
    expect(await offered(school, daysAhead(5))).toEqual(["20:00"]);
    const path = `/settings/:company/instructors/${school.instructorId}/overrides`;
    const { data } = must(await school.company.call<{ end: string }[]>("GET", path), 200).body;
    expect(data.map((one) => one.end)).toEqual(["24:00", "24:00"]);
  });
});

test("quiet hours may end at 24:00, which is the next day's 00:00", async () => {
  const company = await openCompany();
  const body = { quiet_hours: { from: "21:00", to: "24:00" } };
  const answer = await company.call("PATCH", "/settings/:company/notifications", { body });
  expect(must(answer, 200).body.data).toMatchObject({ quiet_hours: { from: "21:00", to: "00:00" } });
});

test("nothing begins at 24:00, and no day has a later time", async () => {
  const school = await lateSchool("24:00");
  const wish = { booking_date: daysAhead(4), start_time: "24:00" };
  expect(await book(school, wish)).toMatchObject(wrongField("start_time", "invalid_format"));
});
