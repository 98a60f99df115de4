import { describe, expect, test } from "vitest";
import type * as z from "zod";
import type { location, locationSettings } from "../../../src/features/bookings/locations/locations.ts";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { rowCounts } from "../../support/oracles.ts";
import { expectRefused } from "../refusal.ts";
import { SYDNEY, schoolCall } from "../school.ts";

type Setting = z.infer<typeof locationSettings.schema>;

const SETTINGS = "/settings/:company/locations";
const FULL = {
  name: "Parramatta test centre",
  type: "test_centre",
  city: "Parramatta",
  state: "NSW",
  postcode: "2150",
  latitude: -33.815,
  longitude: 151.0011,
  operating_hours: "Mon-Fri 08:30-16:30\nSat 09:00-12:00",
};

const company = await openCompany(SYDNEY);

const add = (own: TestCompany, body: object) => own.make<Setting>(SETTINGS, body);

async function offered(own: TestCompany): Promise<z.infer<typeof location.schema>[]> {
  const { success, locations } = JSON.parse((await schoolCall(own, "GET", "/locations")).text);
  expect(success).toBe(true);
  return locations;
}

describe("settings", () => {
  test("a location is added, read, changed and removed", async () => {
    const created = await add(company, FULL);
    expect(created).toEqual({
      ...FULL,
      id: expect.any(Number),
      is_active: true,
      created_at: expect.stringMatching(/^\d{4}-/),
      updated_at: created.created_at,
    });
    const path = `${SETTINGS}/${created.id}`;
    expect((await company.call("GET", path)).body.data).toEqual(created);

    const changes = { name: "Parramatta", latitude: null, is_active: false };
    const changed = await company.change<Setting>(path, changes);
    expect(changed).toEqual({ ...created, ...changes, updated_at: expect.any(String) });
    expect((await company.call("GET", path)).body.data).toEqual(changed);

    const deleted = { status: 200, body: { data: { id: created.id, deleted: true } } };
    expect(await company.call("DELETE", path)).toMatchObject(deleted);
    for (const [method, body] of [["GET"], ["PATCH", { name: "Back" }], ["DELETE"]] as const) {
      const answer = await company.call(method, path, { body });
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  test("a name and a type are enough", async () => {
    expect(await add(company, { name: "Corner", type: "pickup_point" })).toMatchObject({
      city: null,
      state: null,
      postcode: null,
      latitude: null,
      longitude: null,
      operating_hours: null,
      is_active: true,
    });
  });

  test.each([
    ["name", " ", "too_small"],
    ["type", "t".repeat(51), "too_big"],
    ["postcode", "12345678901", "too_big"],
    ["latitude", 90.1, "too_big"],
    ["latitude", -90.1, "too_small"],
    ["longitude", 180.1, "too_big"],
  ])("%s %j is 422 %s", async (field, value, code) => {
    const before = await rowCounts(company);
    const answer = await company.call("POST", SETTINGS, { body: { ...FULL, [field]: value } });
    expect(answer.body.code).toBe("validation_failed");
    expectRefused(answer, { [field]: code });
    expect(await rowCounts(company)).toEqual(before);
  });
});

describe("the list for booking", async () => {
  const school = await openCompany({ country: "AU" });
  await add(school, { ...FULL, name: "Ryde" });
  await add(school, { ...FULL, name: "Auburn" });
  await add(school, { ...FULL, name: "Closed", is_active: false });
  await add(school, { ...FULL, name: "Penrith" });
  const { id } = await add(school, { ...FULL, name: "Bondi" });
  await school.call("DELETE", `${SETTINGS}/${id}`);

  test("holds the active ones, by name, without what is the company's own business", async () => {
    const locations = await offered(school);
    expect(locations.map(({ name }) => name)).toEqual(["Auburn", "Penrith", "Ryde"]);
    expect(locations[0]).toEqual({ ...FULL, name: "Auburn", id: expect.any(Number) });
  });

  test("is empty where there is none, and follows what is switched off and on, and renamed", async () => {
    const own = await openCompany();
    expect(await offered(own)).toEqual([]);
    const { id } = await add(own, { ...FULL, name: "First" });
    await add(own, { ...FULL, name: "Second" });
    const names = async () => (await offered(own)).map(({ name }) => name);
    const change = (body: Record<string, unknown>) => own.call("PATCH", `${SETTINGS}/${id}`, { body });
    await change({ is_active: false });
    expect(await names()).toEqual(["Second"]);
    await change({ is_active: true, name: "Third" });
    expect(await names()).toEqual(["Second", "Third"]);
  });
});
