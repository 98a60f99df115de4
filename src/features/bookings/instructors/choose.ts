import { distanceKm, type Point } from "#shared/places/distance.ts";
import { fieldProblem } from "#shared/problem.ts";
import { quoted } from "#shared/text/quoted.ts";
import { BUILT_IN_KEYS, type FieldRow } from "../fields/fields.ts";
import type { CustomFields, InstructorRow, ServiceArea } from "./record.ts";
import type { InstructorQuery } from "./schema.ts";

const MOST_FIELDS = 10;
const CUSTOM_FIELD = /^cf\[(.*)\]$/;

export type Chosen = { instructor: InstructorRow; distanceKm: number | undefined };

type Test = (instructor: InstructorRow) => boolean;

/** The instructors that serve the place and pass every test; by distance where there is one, else in the order given. */
export function chooseInstructors(
  instructors: readonly InstructorRow[],
  serves: ((instructor: InstructorRow) => number | boolean) | undefined,
  tests: readonly Test[],
): Chosen[] {
  const chosen: Chosen[] = [];
  for (const instructor of instructors) {
    if (!tests.every((test) => test(instructor))) continue;
    const served = serves === undefined || serves(instructor);
    if (served === false) continue;
    chosen.push({ instructor, distanceKm: typeof served === "number" ? served : undefined });
  }
  return chosen.toSorted(
    (one, other) =>
      (one.distanceKm ?? 0) - (other.distanceKm ?? 0) ||
      (one.distanceKm === undefined ? 0 : one.instructor.id - other.instructor.id),
  );
}

/** How far the nearest area that holds the point is away; false where none does. */
export function distanceTo(point: Point, defaultRadiusKm: number) {
  return ({ service_areas: areas }: InstructorRow): number | false => {
    let nearest: number | false = false;
    for (const { latitude, longitude, radius_km: radius } of areas) {
      if (latitude === null || longitude === null) continue;
      const distance = distanceKm(point, { latitude, longitude });
      if (distance <= (radius ?? defaultRadiusKm) && (nearest === false || distance < nearest))
        nearest = distance;
    }
    return nearest;
  };
}

/** Whether an area has this postcode, whatever its spaces and case. */
export function servesPostcode(postcode: string): Test {
  const wanted = compact(postcode);
  return hasArea((area) => area.postcode !== null && compact(area.postcode) === wanted);
}

/** Whether an area is this suburb; a state may follow behind a comma. */
export function servesSuburb(text: string): Test {
  const [suburb = "", state] = text.split(",").map(simplified);
  return hasArea(
    (area) =>
      area.suburb !== null &&
      simplified(area.suburb) === suburb &&
      (state === undefined || (area.state !== null && simplified(area.state) === state)),
  );
}

/** The tests of all other parameters. Throws 422 for a custom field that is not there. */
export function testsOf(query: InstructorQuery, fields: readonly FieldRow[]): Test[] {
  const given = BUILT_IN_KEYS.flatMap((key) => (query[key] === undefined ? [] : [builtIn(key, query[key])]));
  const custom = customFieldsOf(query);
  if (custom.length > MOST_FIELDS)
    throw fieldProblem("cf", "too_big", `must have at most ${MOST_FIELDS} keys`);
  return [
    ...given,
    ...custom.map(([key, value]) => {
      if (isBuiltIn(key)) return builtIn(key, value);
      const field = fields.find((one) => one.key === key);
      if (field !== undefined) return customTest(field, value);
      const keys = [...BUILT_IN_KEYS, ...fields.map((one) => one.key)].join(", ");
      throw fieldProblem(`cf[${quoted(key)}]`, "unknown_field", `is no field; the fields are ${keys}`);
    }),
  ];
}

type BuiltIn = (typeof BUILT_IN_KEYS)[number];

function isBuiltIn(key: string): key is BuiltIn {
  return (BUILT_IN_KEYS as readonly string[]).includes(key);
}

/** The keys and values of `cf[key]=value`. */
function customFieldsOf(query: Record<string, unknown>): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => {
    const key = CUSTOM_FIELD.exec(name)?.[1];
    if (key === undefined) return [];
    if (typeof value === "string") return [[key, value] as [string, string]];
    throw fieldProblem(name, "invalid_type", "must be given once");
  });
}

function builtIn(key: BuiltIn, value: string): Test {
  const wanted = simplified(value);
  switch (key) {
    case "transmission":
      return ({ transmission }) => transmission === wanted || (transmission === "both" && wanted !== "both");
    case "language":
      return ({ languages }) => languages.some((language) => simplified(language) === wanted);
    case "car":
      return ({ car_make: make, car_model: model }) =>
        simplified(`${make ?? ""} ${model ?? ""}`).includes(wanted);
    default:
      return ({ [key]: text }) => text !== null && simplified(text) === wanted;
  }
}

function customTest({ key, type }: FieldRow, value: string): Test {
  const wanted = simplified(value);
  const equal = (stored: CustomFields[string]) => {
    if (type === "number") return wanted !== "" && Number(wanted) === stored;
    if (type === "boolean")
      return (wanted === "true" || wanted === "1") === stored && /^(?:true|false|[01])$/.test(wanted);
    return [stored].flat().some((one) => simplified(String(one)) === wanted);
  };
  return ({ custom_fields: stored }) => Object.hasOwn(stored, key) && equal(stored[key] ?? "");
}

function hasArea(test: (area: ServiceArea) => boolean): Test {
  return ({ service_areas: areas }) => areas.some(test);
}

function compact(text: string): string {
  return text.replace(/\s/g, "").toUpperCase();
}

function simplified(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}
