import { describe, expect, test } from "vitest";
import { distanceKm } from "#shared/places/distance.ts";
import { openCompany } from "../../../support/company.ts";
import vectors from "../../../vectors/availability.json" with { type: "json" };
import { refusedFields } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import { newInstructor, schoolCall, setRules } from "../../school.ts";
import { list, names, PARRAMATTA } from "./instructor-list.ts";

const CBD = { latitude: -33.8688, longitude: 151.2093 };

test.each(vectors.distance_km)("the distance of $from and $to is $km km", ({ from, to, km }) => {
  const point = ([latitude = 0, longitude = 0]: number[]) => ({ latitude, longitude });
  expect(distanceKm(point(from), point(to))).toBeCloseTo(km, 3);
});

describe("by place", async () => {
  const company = await openCompany({ country: "AU", currency: "AUD" });
  const location = async (body: object) =>
    (await company.make<{ id: number }>("/settings/:company/locations", body)).id;
  const office = await location({ name: "Office", type: "office", ...CBD });
  const depot = await location({ name: "Depot", type: "office", postcode: "2112" });
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
    [`?postcode=${encodeURIComponent("२११२\u200b")}`, ["Ryde"]],
    [`?suburb=${encodeURIComponent("\u202aNorth Ryde\u202c\u200b")}`, ["Elsewhere", "Ryde"]],
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
      expect(await schoolCall(company, "GET", `/instructors?location_id=${id}`)).toMatchObject(
        refusal(404, "not_found", { resource: "location" }),
      );
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
