import { beforeAll, describe, expect, test } from "vitest";
import { distanceKm } from "#shared/geo.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import vectors from "../../vectors/availability.json" with { type: "json" };
import { refusedFields, setClock } from "../commerce.ts";
import {
  daysAhead,
  everyDay,
  newBooking,
  newCourse,
  newInstructor,
  onDay,
  openSchool,
  schoolCall,
  setRules,
} from "../school.ts";

type Listed = {
  id: number;
  name: string;
  distance_km?: number;
  next_available?: { date: string; start: string; end: string; timezone: string } | null;
};

const CBD = { latitude: -33.8688, longitude: 151.2093 };
const PARRAMATTA = { latitude: -33.815, longitude: 151.0011 };

async function list(company: TestCompany, query = ""): Promise<Listed[]> {
  const answer = await schoolCall<{ instructors: Listed[] }>(company, "GET", `/instructors${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.instructors;
}

async function names(company: TestCompany, query = ""): Promise<string[]> {
  return (await list(company, query)).map(({ name }) => name);
}

test.each(vectors.distance_km)("the distance of $from and $to is $km km", ({ from, to, km }) => {
  const point = ([latitude = 0, longitude = 0]: number[]) => ({ latitude, longitude });
  expect(distanceKm(point(from), point(to))).toBeCloseTo(km, 3);
});

test("all active instructors are listed by name, with what is public of them", async () => {
  const company = await openCompany();
  await newInstructor(company, { name: "Zoe" });
  await newInstructor(company, { name: "Gone", is_active: false });
  const { id } = await newInstructor(company, {
    name: "Anil",
    gender: "male",
    nationality: "Indian",
    languages: ["English", "Hindi"],
    transmission: "manual",
    car_make: "Maruti",
    bio: "Calm.",
    photo_url: "https://example.com/a.jpg",
    service_areas: [{ suburb: "Ryde", postcode: "2112", state: "NSW", radius_km: 5, ...PARRAMATTA }],
    schedule: everyDay("09:00-12:00"),
  });
  const answer = await schoolCall(company, "GET", "/instructors");
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(JSON.parse(answer.text)).toEqual({
    success: true,
    instructors: [
      {
        id,
        name: "Anil",
        gender: "male",
        languages: ["English", "Hindi"],
        transmission: "manual",
        bio: "Calm.",
        photo_url: "https://example.com/a.jpg",
        service_areas: [{ suburb: "Ryde", postcode: "2112", state: "NSW", radius_km: 5 }],
      },
      expect.objectContaining({ name: "Zoe", gender: null, languages: [], service_areas: [] }),
    ],
  });
});

describe("by place", () => {
  let company: TestCompany;
  let office: number;
  let depot: number;
  beforeAll(async () => {
    company = await openCompany({ country: "AU", currency: "AUD" });
    const location = async (body: object) =>
      must(await company.call<{ id: number }>("POST", "/settings/:company/locations", { body }), 201).body
        .data.id;
    office = await location({ name: "Office", type: "office", ...CBD });
    depot = await location({ name: "Depot", type: "office", postcode: "2112" });
    const closed = await location({ name: "Closed", type: "office", is_active: false });
    expect(closed).toBeGreaterThan(0);
    const area = (fields: object) => ({ service_areas: [fields] });
    await newInstructor(company, { name: "Wide", ...area({ radius_km: 21, ...PARRAMATTA }) });
    await newInstructor(company, { name: "Narrow", ...area({ radius_km: 20, ...PARRAMATTA }) });
    await newInstructor(company, { name: "Default", ...area({ ...CBD }) });
    await newInstructor(company, {
      name: "Ryde",
      ...area({ suburb: "North  Ryde", state: "NSW", postcode: "2112" }),
    });
    await newInstructor(company, { name: "Elsewhere", ...area({ suburb: "North Ryde", state: "QLD" }) });
    await newInstructor(company, { name: "Linked", location_ids: [office] });
  });

  const at = (point: typeof CBD) => `?lat=${point.latitude}&lng=${point.longitude}`;

  test("lat and lng choose by each area's radius, to the kilometre, nearest first", async () => {
    expect((await list(company, at(CBD))).map(({ name, distance_km: km }) => [name, km])).toEqual([
      ["Default", 0],
      ["Wide", 20.1],
    ]);
    expect(await names(company, at(PARRAMATTA))).toEqual(["Wide", "Narrow"]);
  });

  test("an area without a radius has the school's", async () => {
    await setRules(company, { default_radius_km: 30 });
    expect(await names(company, at(PARRAMATTA))).toEqual(["Wide", "Narrow", "Default"]);
    await setRules(company, { default_radius_km: 15 });
  });

  test.each([
    ["?postcode=2112", ["Ryde"]],
    ["?postcode=%2021%2012%20", ["Ryde"]],
    ["?postcode=9999", []],
    ["?suburb=north%20ryde", ["Elsewhere", "Ryde"]],
    ["?suburb=%20NORTH%20%20RYDE%20", ["Elsewhere", "Ryde"]],
    ["?suburb=North%20Ryde,%20NSW", ["Ryde"]],
    ["?suburb=Ryde", []],
  ])("%s: %j", async (query, expected) => {
    expect(await names(company, query)).toEqual(expected);
  });

  test("location_id chooses who is linked, near, or has its postcode", async () => {
    expect(await names(company, `?location_id=${office}`)).toEqual(["Default", "Linked", "Wide"]);
    expect(await names(company, `?location_id=${depot}`)).toEqual(["Ryde"]);
  });

  test("an unknown or inactive location is 404", async () => {
    for (const id of [999_999, depot + 1])
      expect(await schoolCall(company, "GET", `/instructors?location_id=${id}`)).toMatchObject({
        status: 404,
        body: { code: "not_found", resource: "location" },
      });
  });

  test("of several only the most specific counts", async () => {
    expect(await names(company, `${at(PARRAMATTA)}&postcode=2112&suburb=x&location_id=999999`)).toEqual([
      "Wide",
      "Narrow",
    ]);
    expect(await names(company, "?postcode=2112&suburb=nowhere")).toEqual(["Ryde"]);
  });

  test.each([
    ["?lat=1", "lat"],
    ["?lng=1", "lat"],
    ["?lat=91&lng=1", "lat"],
    ["?lat=1&lng=181", "lng"],
    ["?lat=north&lng=1", "lat"],
    ["?location_id=x", "location_id"],
    ["?transmission=sail", "transmission"],
    ["?with_next=yes", "with_next"],
    ["?with_next=1&duration_minutes=14", "duration_minutes"],
    ["?available_date=2026-13-01", "available_date"],
    ["?time_of_day=night", "time_of_day"],
    ["?postcode=1&postcode=2", "postcode"],
    ["?cf=1", "cf"],
  ])("%s is 422", async (query, field) => {
    const answer = await schoolCall(company, "GET", `/instructors${query}`);
    expect(answer.status).toBe(422);
    expect(Object.keys(refusedFields(answer as never))).toContain(field);
  });

  test("the circle goes round the date line", async () => {
    const own = await openCompany();
    const near = { latitude: -17, longitude: 179.9, radius_km: 21.3 };
    await newInstructor(own, { name: "Near", service_areas: [near] });
    await newInstructor(own, { name: "Far", service_areas: [{ ...near, radius_km: 21.2 }] });
    expect(await names(own, "?lat=-17&lng=-179.9")).toEqual(["Near"]);
  });
});

describe("by what they are", () => {
  let company: TestCompany;
  beforeAll(async () => {
    company = await openCompany();
    const field = async (body: object) =>
      must(await company.call("POST", "/settings/:company/instructor-fields", { body }), 201);
    await field({ key: "city_parking", label: "Parking in the city", type: "boolean" });
    await field({ key: "years", label: "Years", type: "number" });
    await field({ key: "level", label: "Level", type: "select", options: ["Starter", "Advanced"] });
    await field({ key: "skills", label: "Skills", type: "multiselect", options: ["Night", "Highway"] });
    await field({ key: "since", label: "Since", type: "date" });
    await newInstructor(company, {
      name: "Auto",
      transmission: "auto",
      gender: "Female",
      nationality: "Indian",
      languages: ["English", "Tamil"],
      car_make: "Toyota",
      car_model: "Corolla",
      custom_fields: {
        city_parking: true,
        years: 5,
        level: "Advanced",
        skills: ["Night"],
        since: "2020-01-31",
      },
    });
    await newInstructor(company, {
      name: "Both",
      transmission: "both",
      gender: "male",
      languages: ["Hindi"],
      custom_fields: { city_parking: false, years: 10, level: "Starter", skills: ["Night", "Highway"] },
    });
    await newInstructor(company, { name: "Manual", transmission: "manual" });
  });

  test.each([
    ["transmission=auto", ["Auto", "Both"]],
    ["transmission=manual", ["Both", "Manual"]],
    ["transmission=both", ["Both"]],
    ["gender=female", ["Auto"]],
    ["gender=fem", []],
    ["nationality=INDIAN", ["Auto"]],
    ["language=tamil", ["Auto"]],
    ["car=toyota%20cor", ["Auto"]],
    ["car=OLLA", ["Auto"]],
    ["transmission=auto&gender=male", ["Both"]],
    ["cf[transmission]=auto", ["Auto", "Both"]],
    ["cf[gender]=MALE", ["Both"]],
    ["cf[language]=hindi", ["Both"]],
    ["cf[car]=corolla", ["Auto"]],
    ["cf[city_parking]=true", ["Auto"]],
    ["cf[city_parking]=0", ["Both"]],
    ["cf[city_parking]=maybe", []],
    ["cf[years]=5.0", ["Auto"]],
    ["cf[level]=advanced", ["Auto"]],
    ["cf[skills]=night", ["Auto", "Both"]],
    ["cf[skills]=Highway&cf[level]=starter", ["Both"]],
    ["cf[since]=2020-01-31", ["Auto"]],
    [`${encodeURIComponent("cf[years]")}=10`, ["Both"]],
    ["unknown=1", ["Auto", "Both", "Manual"]],
  ])("?%s: %j", async (query, expected) => {
    expect(await names(company, `?${query}`)).toEqual(expected);
  });

  test("a field that is not there is 422, and the answer lists those that are", async () => {
    for (const key of ["colour", "__proto__", "a][b", ""]) {
      const answer = await schoolCall(company, "GET", `/instructors?${encodeURIComponent(`cf[${key}]`)}=1`);
      expect(answer, key).toMatchObject({
        status: 422,
        body: { code: "validation_failed", message: expect.stringMatching(/transmission.*city_parking/) },
      });
    }
  });

  test("the fields are listed for booking pages", async () => {
    const { fields } = JSON.parse((await schoolCall(company, "GET", "/instructor-fields")).text);
    expect(fields).toHaveLength(5);
    expect(fields[2]).toEqual({
      key: "level",
      label: "Level",
      type: "select",
      options: ["Starter", "Advanced"],
    });
    expect(fields[0]).toMatchObject({ key: "city_parking", type: "boolean", options: null });
  });
});

describe("by what they have free", () => {
  const TUESDAY = "2026-11-24";
  let company: TestCompany;
  beforeAll(async () => {
    const school = await openSchool({ timezone: "Asia/Kolkata" }, { windows: ["09:00-12:00"] });
    company = school.company;
    await newInstructor(company, { name: "Evenings", schedule: onDay(2, "17:00-19:00") });
    await newInstructor(company, {
      name: "Afternoons",
      schedule: [...onDay(2, "12:00-14:00"), ...onDay(3, "12:00-13:00")],
    });
    await newInstructor(company, { name: "Never" });
    await setClock(company, "2026-11-23T05:00:00Z");
    for (const start_time of ["09:00", "11:00"])
      await newBooking(school, { booking_date: TUESDAY, start_time });
  });

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

  test.each([50, 200])("is asked of %i instructors in two reads", async (count) => {
    const own = await openCompany();
    await own.raiseLimit();
    const schedule = everyDay("09:00-17:00");
    await Promise.all(
      Array.from({ length: count }, (_, index) => newInstructor(own, { name: `I${index}`, schedule })),
    );
    for (const query of ["?with_next=true", `?available_date=${daysAhead(7)}`]) {
      const before = await own.requests();
      expect(await list(own, query)).toHaveLength(count);
      expect((await own.requests()) - before).toBe(2);
    }
  });
});

test("courses are active products with a length and a transmission, by name", async () => {
  const company = await openCompany({ country: "AU", currency: "AUD" });
  await newCourse(company, { name: "Manual hour", transmission: "manual", selling_price: 80 });
  const id = await newCourse(company, { name: "Auto hour", tax_rate: 10, selling_price: 70 });
  await newCourse(company, { name: "Bundle", is_package: true, sessions: 10, selling_price: 650.5 });
  await newCourse(company, { name: "Retired", status: "inactive" });
  await newCourse(company, { name: "Book", duration_minutes: null });
  const courses = async (query = "") =>
    JSON.parse((await schoolCall(company, "GET", `/courses${query}`)).text).courses;
  expect((await courses())[0]).toEqual({
    id,
    name: "Auto hour",
    price: 77,
    currency: "AUD",
    duration_minutes: 60,
    transmission: "auto",
    is_package: false,
    sessions: null,
    product_type: "service",
  });
  const named = async (query: string) => (await courses(query)).map(({ name }: { name: string }) => name);
  expect(await named("")).toEqual(["Auto hour", "Bundle", "Manual hour"]);
  expect(await named("?transmission=auto")).toEqual(["Auto hour", "Bundle"]);
  expect(await named("?transmission=manual")).toEqual(["Manual hour"]);
  expect(await named("?type=lesson")).toEqual(["Auto hour", "Manual hour"]);
  expect(await named("?type=package&transmission=auto")).toEqual(["Bundle"]);
  expect((await schoolCall(company, "GET", "/courses?type=x")).status).toBe(422);
});
