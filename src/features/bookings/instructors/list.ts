import { type SQL, sql } from "drizzle-orm";
import { companyDate } from "#core/calendar.ts";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonCell, jsonObject, jsonQuery, parseRows } from "#core/sql/json.ts";
import { readAll } from "#core/sql/read-records.ts";
import { read } from "#core/write/replay.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { Problem } from "#shared/problem.ts";
import { addDays } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { bookings, instructors, locations } from "#tables/bookings";
import { isActive, selectOverrides, slotSettingsOf } from "../availability/offer-basis.ts";
import {
  type Busy,
  bookableDays,
  type Calendar,
  type Day,
  FREE,
  firstOffer,
  type Override,
  offerOn,
  type SlotSettings,
} from "../availability/slots.ts";
import { busyJson, selectBusy } from "../availability/taken-time.ts";
import { type FieldRow, fieldsJson } from "../fields/fields.ts";
import { type SettingsRow, settingsJson } from "../settings/settings.ts";
import {
  type Chosen,
  chooseInstructors,
  distanceTo,
  servesPostcode,
  servesSuburb,
  testsOf,
} from "./choose.ts";
import { type InstructorRow, instructor } from "./record.ts";
import type { InstructorQuery } from "./schema.ts";

const NOTHING: Map<number, Busy> = new Map();
const MOST_ADVANCE_DAYS = 366;
/** Nearly all have a free start within these; who has none is asked for in a read of all later days. */
const SOON_DAYS = 14;
const NOON = 12 * 60;
const EVENING = 17 * 60;

type Location = { id: number; postcode: string | null; latitude: number | null; longitude: number | null };
type Basis = {
  settings: SettingsRow;
  fields: FieldRow[];
  location: Location | null;
  overrides: (Override & { instructor_id: number })[];
};
type Next = { date: string; start: string; end: string; timezone: string };
export type ListedInstructor = Chosen & { next?: Next | null };

const activeByName = sql`${instructors.isActive} = 1 ORDER BY ${instructors.name}, ${instructors.id}`;

/** The active instructors that fit the query. */
export async function listInstructors(
  ctx: CallCtx,
  _params: unknown,
  query: InstructorQuery,
): Promise<ListedInstructor[]> {
  const [list, basis] = await read(ctx, instructorQueries(ctx, query));
  return instructorsOf(ctx, query, list, basis);
}

/** The queries of the first read, whose cells `instructorsOf` takes. */
export function instructorQueries(ctx: ReadCtx, query: InstructorQuery) {
  return [
    // A row each: 200 of the widest do not fit in one text.
    jsonQuery(ctx, instructor.select(activeByName)),
    jsonQuery(ctx, selectBasis(ctx, query)),
  ] as const;
}

/**
 * The instructors that fit the query, of all. What they have free is asked of those alone in a second read, and of who
 * has nothing free soon in a third.
 */
export async function instructorsOf(
  ctx: CallCtx,
  query: InstructorQuery,
  all: readonly JsonCell<InstructorRow>[],
  basis: readonly JsonCell<Basis>[],
): Promise<ListedInstructor[]> {
  const [{ settings, fields, location, overrides }] = parseRows(basis) as [Basis];
  const serves = servesPlace(query, location, settings.default_radius_km);
  const chosen = chooseInstructors(parseRows(all), serves, testsOf(query, fields));
  if (chosen.length === 0 || !asksForSlots(query)) return chosen;
  const usual = slotSettingsOf(ctx, settings);
  const slotSettings = { ...usual, slotLength: query.duration_minutes ?? usual.slotLength };
  const overridesOf = Map.groupBy(overrides, ({ instructor_id: id }) => id);
  const calendarOf = ({ instructor: { id, schedule } }: Chosen, busy: Map<number, Busy>): Calendar => ({
    schedule,
    overrides: overridesOf.get(id) ?? [],
    busy: busy.get(id) ?? FREE,
  });
  const days = query.with_next === true ? bookableDays(slotSettings, ctx.now) : [];
  const [soon, later] = [days.slice(0, SOON_DAYS), days.slice(SOON_DAYS)];
  const busy = await readBusy(ctx, chosen, datesOf(ctx, query, SOON_DAYS));
  const fitting = chosen.filter(
    (one) => query.available_date === undefined || hasSlot(ctx, query, slotSettings, calendarOf(one, busy)),
  );
  if (query.with_next !== true) return fitting;
  const nextOn = (on: readonly Day[], one: Chosen, taken: Map<number, Busy>) =>
    nextOf(ctx, on, slotSettings, calendarOf(one, taken));
  const listed = fitting.map((one) => ({ ...one, next: nextOn(soon, one, busy) }));
  // Who has nothing free later either, though nothing were booked, is not asked for.
  const booked = listed.filter((one) => one.next === null && nextOn(later, one, NOTHING) !== null);
  if (booked.length === 0) return listed;
  const [first, last] = [later.at(0)?.date ?? "", later.at(-1)?.date ?? ""];
  const taken = await readBusy(ctx, booked, [first, last]);
  for (const one of booked) one.next = nextOn(later, one, taken);
  return listed;
}

function asksForSlots({ available_date: date, with_next: next }: InstructorQuery): boolean {
  return date !== undefined || next === true;
}

function selectBasis(ctx: ReadCtx, query: InstructorQuery): SQL<Basis> {
  const { location_id: locationId } = query;
  const location = jsonObject(columnsNamed(locations, "id", "postcode", "latitude", "longitude"));
  return sql`SELECT ${jsonObject({
    settings: settingsJson(),
    fields: fieldsJson(),
    location: sql<Location | null>`json((SELECT ${location} FROM ${locations} WHERE ${locations.id} = ${locationId ?? null}
      AND ${locations.isActive} = 1 AND ${locations.deletedAt} IS NULL))`,
    overrides: asksForSlots(query) ? selectOverridesOfAll(ctx, query) : sql<Basis["overrides"]>`json('[]')`,
  })} AS snapshot`;
}

function selectOverridesOfAll(ctx: ReadCtx, query: InstructorQuery): SQL<Basis["overrides"]> {
  const [from, to] = datesOf(ctx, query, MOST_ADVANCE_DAYS);
  return selectOverrides(sql`(SELECT ${instructors.id} FROM ${instructors} WHERE ${isActive})`, from, to);
}

/** The dates that slots are looked for on: one, or so many days from now on, and that one. */
function datesOf(ctx: ReadCtx, query: InstructorQuery, advanceDays: number): [from: string, to: string] {
  const { available_date: date, with_next: next } = query;
  if (date !== undefined && next !== true) return [date, date];
  const yesterday = companyDate(ctx.now - DAY_MS, "UTC");
  const last = addDays(yesterday, advanceDays + 2);
  return [yesterday, date !== undefined && date > last ? date : last];
}

/** Who serves the most specific place that the query names; undefined where it names none. */
function servesPlace(query: InstructorQuery, location: Location | null, defaultRadiusKm: number) {
  const { lat, lng, postcode, suburb, location_id: locationId } = query;
  if (lat !== undefined && lng !== undefined)
    return distanceTo({ latitude: lat, longitude: lng }, defaultRadiusKm);
  if (postcode !== undefined) return servesPostcode(postcode);
  if (suburb !== undefined) return servesSuburb(suburb);
  if (locationId === undefined) return undefined;
  if (location === null)
    throw new Problem("not_found", { message: "No such location", members: { resource: "location" } });
  return servesLocation(location, defaultRadiusKm);
}

function servesLocation({ id, postcode, latitude, longitude }: Location, defaultRadiusKm: number) {
  const near =
    latitude === null || longitude === null
      ? () => false
      : distanceTo({ latitude, longitude }, defaultRadiusKm);
  const inPostcode = postcode === null ? () => false : servesPostcode(postcode);
  return (instructor: InstructorRow): boolean =>
    instructor.location_ids.includes(id) || inPostcode(instructor) || near(instructor) !== false;
}

/** When the chosen instructors are taken on the dates, by their ids. */
async function readBusy(
  ctx: CallCtx,
  chosen: readonly Chosen[],
  [from, to]: readonly [from: string, to: string],
): Promise<Map<number, Busy>> {
  const ids = JSON.stringify(chosen.map(({ instructor }) => instructor.id));
  const of = sql`${bookings.instructorId} IN (SELECT value FROM json_each(${ids}))`;
  const [since, until] = [Date.parse(from) - 2 * DAY_MS, Date.parse(to) + 2 * DAY_MS];
  const select = sql<{ id: number; busy: Busy }>`
    SELECT json_object('id', instructor_id, 'busy', ${busyJson}) AS snapshot
    FROM (${selectBusy(of, since, until, ctx.now)}) GROUP BY instructor_id`;
  return new Map((await readAll(ctx, select)).map(({ id, busy }) => [id, busy]));
}

function hasSlot(
  ctx: ReadCtx,
  query: InstructorQuery,
  slotSettings: SlotSettings,
  calendar: Calendar,
): boolean {
  const { available_date: date = "", time_of_day: time } = query;
  const { slots } = offerOn(calendar, date, slotSettings, slotSettings.slotLength, ctx.now);
  return slots.some(({ minute }) => time === undefined || time === timeOfDay(minute));
}

function timeOfDay(minute: number): "morning" | "afternoon" | "evening" {
  if (minute < NOON) return "morning";
  return minute < EVENING ? "afternoon" : "evening";
}

function nextOf(
  ctx: ReadCtx,
  days: readonly Day[],
  slotSettings: SlotSettings,
  calendar: Calendar,
): Next | null {
  const first = firstOffer(calendar, days, slotSettings, slotSettings.slotLength, ctx.now);
  if (first === null) return null;
  const { minute } = first.slot;
  return {
    date: first.date,
    start: clockTimeToWire(minute),
    end: clockTimeToWire(minute + slotSettings.slotLength),
    timezone: slotSettings.timezone,
  };
}

export function renderInstructor({ instructor: row, distanceKm, next }: ListedInstructor) {
  return {
    ...row,
    distance_km: distanceKm === undefined ? undefined : Math.round(distanceKm * 10) / 10,
    next_available: next,
  };
}
