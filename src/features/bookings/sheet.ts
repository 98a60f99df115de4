import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once } from "#platform/json.ts";
import { instructors } from "./instructors/tables.ts";
import { instructorOverrides } from "./overrides/tables.ts";
import { bookings } from "./reservations/tables.ts";
import { bookingSettings } from "./rules/tables.ts";
import type { Busy, Calendar, Override, Rules, WeeklyWindow } from "./slots.ts";

const DAY_MS = 86_400_000;

const settingsShape = {
  id: bookingSettings.id,
  timezone: bookingSettings.timezone,
  slot_length_minutes: bookingSettings.slotLengthMinutes,
  slot_step_minutes: bookingSettings.slotStepMinutes,
  buffer_minutes: bookingSettings.bufferMinutes,
  min_notice_minutes: bookingSettings.minNoticeMinutes,
  advance_days: bookingSettings.advanceDays,
  hold_minutes: bookingSettings.holdMinutes,
  pending_hours: bookingSettings.pendingHours,
  cancel_window_hours: bookingSettings.cancelWindowHours,
  default_radius_km: bookingSettings.defaultRadiusKm,
  updated_at: bookingSettings.updatedAt,
};
export type SettingsRow = JsonRow<typeof settingsShape>;

const overrideShape = {
  instructor_id: instructorOverrides.instructorId,
  date: instructorOverrides.date,
  available: sql<boolean>`json(iif(${instructorOverrides.isAvailable}, 'true', 'false'))`,
  start: instructorOverrides.startMinute,
  end: instructorOverrides.endMinute,
};
const teacherShape = {
  id: instructors.id,
  name: instructors.name,
  transmission: instructors.transmission,
  schedule: sql<WeeklyWindow[]>`json(${instructors.schedule})`,
};

type OverrideRow = JsonRow<typeof overrideShape>;

/** The booking rules, as JSON. */
export const settingsJson = once(
  () => sql<SettingsRow>`json((SELECT ${jsonObject(settingsShape)} FROM ${bookingSettings}))`,
);
const teacherJson = once(() => jsonObject(teacherShape));
const overridesJson = once(() => sql<OverrideRow[]>`json_group_array(${jsonObject(overrideShape)})`);

/** All that decides what one instructor offers from one date to another. */
export type Sheet = {
  settings: SettingsRow;
  /** Null where there is no such active instructor. */
  instructor: JsonRow<typeof teacherShape> | null;
  overrides: Override[];
  busy: Busy;
};

/** What the sheet is about. */
export type SheetOf = { instructorId: number | SQL; from: string; to: string };

/** The parts of a sheet, for the `jsonObject` of a `selectAsked`. */
export const sheetParts = () => ({
  settings: settingsJson(),
  instructor: sql<Sheet["instructor"]>`json((SELECT ${teacherJson()} FROM ${instructors}
    WHERE ${instructors.id} = ask.instructor_id AND ${isActive}))`,
  overrides: selectOverrides(sql`(ask.instructor_id)`, sql`ask.from_date`, sql`ask.to_date`),
  busy: sql<Busy>`json((SELECT ${busyJson} FROM (
    ${selectBusy(sql`${bookings.instructorId} = ask.instructor_id`, sql`ask.since`, sql`ask.until`, sql`ask.now`)})))`,
});

/**
 * The SELECT of `parts`, which name what they are asked for as columns of `ask`: so their text, the bulk of it, is made
 * once, and only the values are bound anew.
 */
export function selectAsked<Row>(
  ctx: Ctx,
  { instructorId, from, to }: SheetOf,
  parts: () => SQL<Row>,
  more: SQL = sql``,
): SQL<Row> {
  return sql`WITH ask AS (SELECT ${instructorId} AS instructor_id, ${from} AS from_date, ${to} AS to_date,
    ${Date.parse(from) - 2 * DAY_MS} AS since, ${Date.parse(to) + 2 * DAY_MS} AS until, ${ctx.now} AS now${more})
    SELECT ${parts()} AS snapshot FROM ask`;
}

/** The overrides of some instructors in a range of dates, as JSON; `ids` is a SELECT or a list. */
export function selectOverrides(ids: SQL, from: SQL | string, to: SQL | string): SQL<OverrideRow[]> {
  return sql`json((SELECT ${overridesJson()} FROM ${instructorOverrides} WHERE ${instructorOverrides.instructorId} IN ${ids}
    AND ${instructorOverrides.date} BETWEEN ${from} AND ${to}))`;
}

export const isActive = sql`${instructors.isActive} = 1 AND ${instructors.deletedAt} IS NULL`;

/** The starts and ends of a `selectBusy`, as JSON. */
export const busyJson = sql<Busy>`json_object('starts', json_group_array(start_at), 'ends', json_group_array(end_at))`;

/**
 * When the bookings that `of` names take time (at `now`), in order. `since` lies two days before the first date: one for
 * its zone, one for the longest booking, which may begin before.
 */
export function selectBusy(of: SQL, since: SQL | number, until: SQL | number, now: SQL | number): SQL {
  return sql`SELECT ${bookings.instructorId}, ${bookings.startAt}, ${bookings.endAt} FROM ${bookings}
    WHERE ${of} AND ${bookings.startAt} BETWEEN ${since} AND ${until} AND ${takesTime(now)}
    ORDER BY ${bookings.instructorId}, ${bookings.startAt}`;
}

/** A booking that stands in the way of others at `now`: live, and no hold that has run out. */
export function takesTime(now: SQL | number): SQL {
  return sql`${bookings.status} NOT IN ('cancelled', 'expired') AND (${bookings.status} <> 'pending'
    OR ${bookings.holdExpiresAt} IS NULL OR ${bookings.holdExpiresAt} > ${now})`;
}

/** The zone that the school's times are in. */
export function zoneOf(ctx: Pick<Ctx, "company">, settings: Pick<SettingsRow, "timezone">): string {
  return settings.timezone ?? ctx.company.timezone;
}

export function rulesOf(ctx: Ctx, settings: SettingsRow): Rules {
  return {
    timezone: zoneOf(ctx, settings),
    slotLength: settings.slot_length_minutes,
    slotStep: settings.slot_step_minutes ?? settings.slot_length_minutes,
    buffer: settings.buffer_minutes,
    minNotice: settings.min_notice_minutes,
    advanceDays: settings.advance_days,
  };
}

export function calendarOf({ instructor, overrides, busy }: Sheet): Calendar {
  return { schedule: instructor?.schedule ?? [], overrides, busy };
}
