import { beforeAll, describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { newCustomer, refusedFields } from "../commerce.ts";
import {
  daysAhead,
  everyDay,
  newBooking,
  newCourse,
  newInstructor,
  newPackage,
  onDay,
  openSchool,
  STUDENT,
  schoolCall,
} from "../school.ts";

type Fields = Record<string, unknown>;
const SETTINGS = "/settings/:company";

let company: TestCompany;
beforeAll(async () => {
  company = await openCompany({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
});

function post<Data = Fields>(path: string, body: unknown) {
  return company.call<Data>("POST", SETTINGS + path, { body });
}

describe("the booking rules", () => {
  const DEFAULTS = {
    timezone: "Australia/Sydney",
    currency: "AUD",
    slot_length_minutes: 60,
    slot_step_minutes: 60,
    buffer_minutes: 15,
    min_notice_minutes: 120,
    advance_days: 90,
    hold_minutes: 15,
    pending_hours: 48,
    cancel_window_hours: 24,
    default_radius_km: 15,
    online_payment_enabled: false,
    updated_at: expect.stringMatching(/^\d{4}-/),
  };

  test("begin with the defaults, and a booking page may read them", async () => {
    const own = await openCompany({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
    expect((await own.call("GET", `${SETTINGS}/booking-settings`)).body.data).toEqual(DEFAULTS);
    expect(JSON.parse((await schoolCall(own, "GET", "/settings")).text)).toEqual({
      success: true,
      settings: DEFAULTS,
    });
  });

  test("change by the fields sent; the step follows the length until it is set, the zone the company's", async () => {
    const own = await openCompany();
    const patch = async (body: Fields) =>
      must(await own.call("PATCH", `${SETTINGS}/booking-settings`, { body }), 200).body.data;
    expect(await patch({ slot_length_minutes: 45 })).toMatchObject({
      slot_step_minutes: 45,
      buffer_minutes: 15,
    });
    expect(await patch({ slot_step_minutes: 15, timezone: "Asia/Dubai" })).toMatchObject({
      slot_length_minutes: 45,
      slot_step_minutes: 15,
      timezone: "Asia/Dubai",
    });
    expect(await patch({ slot_step_minutes: null, timezone: null })).toMatchObject({
      slot_step_minutes: 45,
      timezone: "Asia/Kolkata",
    });
  });

  test.each([
    ["slot_length_minutes", 14, "too_small"],
    ["slot_length_minutes", 481, "too_big"],
    ["slot_step_minutes", 4, "too_small"],
    ["buffer_minutes", -1, "too_small"],
    ["advance_days", 367, "too_big"],
    ["hold_minutes", 0, "too_small"],
    ["timezone", "Mars/Base", "invalid_timezone"],
    ["timezone", "+05:30", "invalid_timezone"],
    ["default_radius_km", 0, "too_small"],
  ])("%s of %j is 422 %s", async (field, value, code) => {
    const answer = await company.call("PATCH", `${SETTINGS}/booking-settings`, { body: { [field]: value } });
    expect(answer.status).toBe(422);
    expect(refusedFields(answer)).toEqual({ [field]: code });
  });
});

describe("an instructor", () => {
  const FULL = {
    name: "Priya Raman",
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
    const changed = must(await company.call("PATCH", path, { body }), 200).body.data;
    expect(changed).toEqual({ ...created, ...body, updated_at: expect.any(String) });
    expect((await company.call("DELETE", path)).body.data).toEqual({ id: created.id, deleted: true });
    for (const method of ["GET", "DELETE"])
      expect(await company.call(method, path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    await expectSound(company);
  });

  test("needs a name and a transmission", async () => {
    const created = await newInstructor(company, { name: "Tom", transmission: "auto" });
    expect(created).toMatchObject({
      languages: [],
      service_areas: [],
      schedule: [],
      is_active: true,
      gender: null,
    });
    expect(refusedFields(await post("/instructors", {}))).toEqual({
      name: "required",
      transmission: "required",
    });
  });

  test.each([
    [{ transmission: "cvt" }, { transmission: "invalid_value" }],
    [{ photo_url: "http://example.com/x" }, { photo_url: "invalid_format" }],
    [{ service_areas: [{ latitude: 1 }] }, { "service_areas[0].latitude": "invalid" }],
    [{ service_areas: [{ radius_km: 0 }] }, { "service_areas[0].radius_km": "too_small" }],
    [{ schedule: [{ weekday: 8, start: "09:00", end: "10:00" }] }, { "schedule[0].weekday": "too_big" }],
    [{ schedule: [{ weekday: 1, start: "10:00", end: "10:00" }] }, { "schedule[0].end": "invalid" }],
    [{ schedule: [{ weekday: 1, start: "9:00", end: "10:00" }] }, { "schedule[0].start": "invalid_format" }],
    [{ schedule: [{ weekday: 1, start: "09:00", end: "24:00" }] }, { "schedule[0].end": "invalid_format" }],
    [{ schedule: onDay(1, "09:00-12:00", "11:00-13:00") }, { schedule: "invalid" }],
    [{ location_ids: [999_999] }, { location_ids: "not_found" }],
    [{ custom_fields: { colour: "red" } }, { "custom_fields.colour": "unknown_field" }],
  ])("with %j is 422", async (fields, refused) => {
    const before = await rowCounts(company);
    const answer = await post("/instructors", { name: "Tom", transmission: "auto", ...fields });
    expect(answer.status).toBe(422);
    expect(refusedFields(answer)).toEqual(refused);
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
    expect(await school.company.call("DELETE", path)).toMatchObject({
      status: 409,
      body: { code: "in_use" },
    });
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
    expect(
      await company.call("PUT", `${SETTINGS}/instructors/999999/schedule`, { body: { schedule } }),
    ).toMatchObject({
      status: 404,
    });
  });

  test("has overrides, which are added, listed and removed", async () => {
    const { id } = await newInstructor(company);
    const path = `${SETTINGS}/instructors/${id}/overrides`;
    const add = async (body: Fields) =>
      must(await company.call<{ id: number }>("POST", path, { body }), 201).body.data;
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
    expect((await company.call("GET", `${SETTINGS}/instructors/999999/overrides`)).status).toBe(404);
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
    expect(answer.status).toBe(422);
    expect(refusedFields(answer)).toEqual(refused);
  });
});

describe("instructor fields", () => {
  test("are added, changed and removed, their key and type once and for all", async () => {
    const created = must(
      await post<{ id: number }>("/instructor-fields", {
        key: "level",
        label: "Level",
        type: "select",
        options: ["A", "B"],
      }),
      201,
    ).body.data;
    const path = `${SETTINGS}/instructor-fields/${created.id}`;
    const changed = await company.call("PATCH", path, { body: { label: "Grade", options: ["A"] } });
    expect(changed.body.data).toMatchObject({ key: "level", label: "Grade", options: ["A"] });
    expect((await company.call("PATCH", path, { body: { key: "x" } })).body.code).toBe("no_accepted_fields");
    const again = await post("/instructor-fields", { key: "level", label: "L", type: "text" });
    expect(again).toMatchObject({ status: 409, body: { code: "duplicate_name" } });
    expect((await company.call("DELETE", path)).status).toBe(200);
    expect((await company.call("GET", path)).status).toBe(404);
  });

  test.each([
    ["transmission", "invalid"],
    ["car", "invalid"],
    ["a b", "invalid_format"],
    ["", "invalid_format"],
  ])("of key %j are refused", async (key, code) => {
    const answer = await post("/instructor-fields", { key, label: "L", type: "text" });
    expect(answer.status).toBe(422);
    expect(refusedFields(answer)).toEqual({ key: code });
  });

  test.each([
    ["text", "x", 1],
    ["number", 1.5, "1"],
    ["boolean", true, "true"],
    ["select", "A", "C"],
    ["multiselect", ["A", "B"], ["C"]],
    ["date", "2026-01-31", "soon"],
  ])("of type %s take %j and refuse %j", async (type, right, wrong) => {
    const own = await openCompany();
    const options = type.endsWith("select") ? ["A", "B"] : undefined;
    const body = { key: "mine", label: "Mine", type, options };
    must(await own.call("POST", `${SETTINGS}/instructor-fields`, { body }), 201);
    const made = await newInstructor(own, { custom_fields: { mine: right } });
    expect(made.custom_fields).toEqual({ mine: right });
    const answer = await own.call("POST", `${SETTINGS}/instructors`, {
      body: { name: "T", transmission: "auto", custom_fields: { mine: wrong } },
    });
    expect(refusedFields(answer)).toEqual({ "custom_fields.mine": "invalid_value" });
  });
});

describe("packages", () => {
  test("belong to a customer and a lesson, and are found by either mark of the customer", async () => {
    const school = await openSchool({});
    const own = school.company;
    const { id: customerId } = await newCustomer(own, STUDENT);
    const made = await newPackage(school, {
      customer_id: customerId,
      expires_at: "2099-06-30T00:00:00+10:00",
    });
    expect(made).toEqual({
      id: expect.any(Number),
      customer_id: customerId,
      product_id: school.courseId,
      name: "Driving lesson",
      sessions_total: 5,
      sessions_used: 0,
      sessions_remaining: 5,
      expires_at: "2099-06-29T14:00:00.000Z",
      status: "active",
      order_id: null,
      booking_id: null,
      created_at: made.created_at,
      updated_at: made.updated_at,
    });
    const second = await newPackage(school, {
      customer_id: customerId,
      name: "Extra",
      expires_at: "2026-01-01T00:00:00Z",
    });
    expect(second.status).toBe("expired");
    for (const query of ["customer_email=MIA@example.com", "customer_phone=%2B61%20412%20345%20678"]) {
      const { packages } = JSON.parse((await schoolCall(own, "GET", `/packages?${query}`)).text);
      expect(packages).toEqual([second, made]);
    }
    expect(
      JSON.parse((await schoolCall(own, "GET", "/packages?customer_email=x@y.z")).text).packages,
    ).toEqual([]);
    expect((await schoolCall(own, "GET", "/packages")).status).toBe(422);
  });

  test("cannot be cut below the sessions used, nor removed once used", async () => {
    const school = await openSchool({});
    const own = school.company;
    const { id: customerId } = await newCustomer(own, STUDENT);
    const { id } = await newPackage(school, { customer_id: customerId, sessions_total: 2 });
    const path = `${SETTINGS}/booking-packages/${id}`;
    for (const day of [7, 8])
      await newBooking(school, { booking_date: daysAhead(day), start_time: "10:00", booking_package_id: id });
    expect(await own.call("PATCH", path, { body: { sessions_total: 1 } })).toMatchObject({
      status: 422,
      body: { code: "package_exhausted" },
    });
    expect(await own.call("DELETE", path)).toMatchObject({ status: 409, body: { code: "in_use" } });
    expect(
      (await own.call("PATCH", path, { body: { sessions_total: 3 } })).body.data.sessions_remaining,
    ).toBe(1);
    await expectSound(own);
  });

  test("of nobody, or of no lesson, are 422", async () => {
    const school = await openSchool({});
    const own = school.company;
    const { id: customer_id } = await newCustomer(own, STUDENT);
    const bundle = await newCourse(own, { is_package: true, sessions: 5 });
    for (const [fields, refused] of [
      [{ customer_id: 999_999 }, { customer_id: "not_found" }],
      [{ product_id: 999_999 }, { product_id: "not_a_lesson" }],
      [{ product_id: bundle }, { product_id: "not_a_lesson" }],
      [{ sessions_total: 0 }, { sessions_total: "too_small" }],
    ] as const) {
      const body = { customer_id, product_id: school.courseId, sessions_total: 5, ...fields };
      const answer = await own.call("POST", `${SETTINGS}/booking-packages`, { body });
      expect(answer.status).toBe(422);
      expect(refusedFields(answer)).toEqual(refused);
    }
  });
});
