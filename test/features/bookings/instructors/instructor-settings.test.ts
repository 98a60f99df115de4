import { describe, expect, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { expectSound, rowCounts } from "../../../support/oracles.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import {
  daysAhead,
  everyDay,
  newBooking,
  newInstructor,
  onDay,
  openSchool,
  SYDNEY,
  schoolCall,
} from "../../school.ts";

type Fields = Record<string, unknown>;
const SETTINGS = "/settings/:company";

const company = await openCompany(SYDNEY);

const post = (body: Fields) => company.call("POST", `${SETTINGS}/instructors`, { body });

describe("an instructor", () => {
  const FULL = {
    name: "Priya Raman",
    email: "priya@school.example",
    phone: "+61 412 345 678",
    gender: "female",
    nationality: "Indian",
    languages: ["English"],
    transmission: "both",
    car_make: "Toyota",
    car_model: "Corolla",
    bio: "Calm.",
    photo_url: "https://example.com/p.jpg",
    service_areas: [
      { suburb: "Ryde", postcode: "2112", state: "NSW", radius_km: 5, latitude: -33.8, longitude: 151.1 },
    ],
    location_ids: [],
    custom_fields: {},
    schedule: onDay(1, "09:00-12:00", "13:00-17:00"),
    is_active: true,
  };

  test("is added, read, changed and removed", async () => {
    const created = await newInstructor(company, FULL);
    expect(created).toEqual({
      ...FULL,
      id: expect.any(Number),
      created_at: created.created_at,
      updated_at: created.updated_at,
    });
    const path = `${SETTINGS}/instructors/${created.id}`;
    expect((await company.call("GET", path)).body.data).toEqual(created);
    const body = { bio: null, languages: ["Tamil"], is_active: false };
    const changed = await company.change(path, body);
    expect(changed).toEqual({ ...created, ...body, updated_at: expect.any(String) });
    expect((await company.call("DELETE", path)).body.data).toEqual({ id: created.id, deleted: true });
    for (const method of ["GET", "DELETE"])
      expect(await company.call(method, path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    await expectSound(company);
  });

  test("needs no more than a name and a transmission", async () => {
    const created = await newInstructor(company, { name: "Tom", transmission: "auto" });
    expect(created).toMatchObject({
      languages: [],
      service_areas: [],
      schedule: [],
      is_active: true,
      gender: null,
    });
  });

  test.each([
    [{ email: "priya" }, { email: "invalid_format" }],
    [{ phone: "1".repeat(31) }, { phone: "too_big" }],
    [{ transmission: "cvt" }, { transmission: "invalid_value" }],
    [{ photo_url: "http://example.com/x" }, { photo_url: "invalid_format" }],
    [{ service_areas: [{ latitude: 1 }] }, { "service_areas[0].latitude": "invalid" }],
    [{ service_areas: [{ radius_km: 0 }] }, { "service_areas[0].radius_km": "too_small" }],
    [{ schedule: [{ weekday: 8, start: "09:00", end: "10:00" }] }, { "schedule[0].weekday": "too_big" }],
    [{ schedule: [{ weekday: 1, start: "10:00", end: "10:00" }] }, { "schedule[0].end": "invalid" }],
    [{ schedule: [{ weekday: 1, start: "9:00", end: "10:00" }] }, { "schedule[0].start": "invalid_format" }],
    [{ schedule: [{ weekday: 1, start: "09:00", end: "24:01" }] }, { "schedule[0].end": "invalid_format" }],
    [{ schedule: onDay(1, "09:00-12:00", "11:00-13:00") }, { schedule: "invalid" }],
    [{ location_ids: [999_999] }, { location_ids: "not_found" }],
    [{ custom_fields: { colour: "red" } }, { "custom_fields.colour": "unknown_field" }],
  ])("with %j is 422", async (fields, refused) => {
    const before = await rowCounts(company);
    const answer = await post({ name: "Tom", transmission: "auto", ...fields });
    expectRefused(answer, refused);
    expect(await rowCounts(company)).toEqual(before);
  });

  test("with windows that touch, or on two days, is fine", async () => {
    const schedule = [...onDay(1, "12:00-13:00", "09:00-12:00"), ...onDay(2, "09:00-13:00")];
    expect((await newInstructor(company, { schedule })).schedule).toEqual(schedule);
  });

  test("stays while bookings are ahead", async () => {
    const school = await openSchool({});
    const { id } = await newBooking(school, { booking_date: daysAhead(7), start_time: "10:00" });
    const path = `${SETTINGS}/instructors/${school.instructorId}`;
    expect(await school.company.call("DELETE", path)).toMatchObject(refusal(409, "in_use"));
    await schoolCall(school.company, "POST", `/bookings/${id}/cancel`, { body: {} });
    expect((await school.company.call("DELETE", path)).status).toBe(200);
    expect((await schoolCall(school.company, "GET", `/bookings/${id}`)).status).toBe(200);
  });

  test("has a week that is replaced whole", async () => {
    const { id } = await newInstructor(company, { schedule: everyDay("09:00-17:00") });
    const path = `${SETTINGS}/instructors/${id}/schedule`;
    const schedule = onDay(3, "10:00-11:00");
    const answer = await company.call("PUT", path, { body: { schedule } });
    expect(answer).toMatchObject({ status: 200, body: { data: { id, schedule } } });
    expect((await company.call("PUT", path, { body: { schedule: [] } })).body.data.schedule).toEqual([]);
  });

  test("has overrides, which are added, listed and removed", async () => {
    const { id } = await newInstructor(company);
    const path = `${SETTINGS}/instructors/${id}/overrides`;
    const add = (body: Fields) => company.make<{ id: number }>(path, body);
    const closed = await add({ date: "2026-12-25", is_available: false, note: "Christmas" });
    expect(closed).toEqual({
      id: expect.any(Number),
      instructor_id: id,
      date: "2026-12-25",
      is_available: false,
      start: null,
      end: null,
      note: "Christmas",
      created_at: expect.any(String),
    });
    const open = await add({ date: "2026-12-27", is_available: true, start: "10:00", end: "12:00" });
    expect(await company.call("GET", path)).toMatchObject({ body: { data: [open, closed] } });
    expect((await company.call("GET", `${path}/${open.id}`)).body.data).toEqual(open);
    const other = await newInstructor(company);
    const foreign = `${SETTINGS}/instructors/${other.id}/overrides/${open.id}`;
    expect((await company.call("DELETE", foreign)).status).toBe(404);
    expect((await company.call("DELETE", `${path}/${open.id}`)).status).toBe(200);
    expect((await company.call("GET", path)).body.data).toHaveLength(1);
  });

  test.each([
    [{ is_available: true }, { start: "invalid" }],
    [{ is_available: true, start: "10:00" }, { end: "invalid" }],
    [{ is_available: false, start: "10:00", end: "09:00" }, { end: "invalid" }],
    [{ is_available: false, date: "2026-02-30" }, { date: "invalid_date" }],
  ])("refuses an override of %j", async (fields, refused) => {
    const { id } = await newInstructor(company);
    const body = { date: "2026-12-25", ...fields };
    const answer = await company.call("POST", `${SETTINGS}/instructors/${id}/overrides`, { body });
    expectRefused(answer, refused);
  });
});
