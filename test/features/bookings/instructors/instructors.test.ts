import { describe, expect, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { refusal } from "../../refusal.ts";
import { everyDay, newInstructor, schoolCall } from "../../school.ts";
import { names, PARRAMATTA } from "./instructor-list.ts";

test("all active instructors are listed by name, with what is public of them", async () => {
  const company = await openCompany();
  await newInstructor(company, { name: "Zoe" });
  await newInstructor(company, { name: "Gone", is_active: false });
  const { id } = await newInstructor(company, {
    name: "Anil",
    gender: "male",
    email: "anil@school.example",
    phone: "+61 412 345 678",
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

describe("by what they are", async () => {
  const company = await openCompany();
  const field = (body: object) => company.make("/settings/:company/instructor-fields", body);
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
      expect(answer, key).toMatchObject(
        refusal(422, "validation_failed", { message: expect.stringMatching(/transmission.*city_parking/) }),
      );
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
