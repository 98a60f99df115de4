import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { bookings, instructorOverrides, instructors } from "#tables/bookings";
import { type SettingsRow, settingsJson, stepOf, zoneOf } from "../settings/settings.ts";
import type { Busy, Calendar, Override, SlotSettings, WeeklyWindow } from "./slots.ts";
import { busyJson, selectBusy } from "./taken-time.ts";

const overrideShape = {
  instructor_id: instructorOverrides.instructorId,
  date: instructorOverrides.date,
  available: sql<boolean>`json(iif(${instructorOverrides.isAvailable}, 'true', 'false'))`,
  start: instructorOverrides.startMinute,
  end: instructorOverrides.endMinute,
};
const teacherShape = {
  ...columnsNamed(instructors, "id", "name", "transmission"),
  schedule: sql<WeeklyWindow[]>`json(${instructors.schedule})`,
};

type OverrideRow = JsonRow<typeof overrideShape>;

const teacherJson = once(() => jsonObject(teacherShape));
const overridesJson = once(() => sql<OverrideRow[]>`json_group_array(${jsonObject(overrideShape)})`);

/** All that decides what one instructor offers from one date to another. */
export type OfferBasis = {
  settings: SettingsRow;
  /** Null where there is no such active instructor. */
  instructor: JsonRow<typeof teacherShape> | null;
  overrides: Override[];
  busy: Busy;
};

/** What the basis is about; `bookingId` names what is to move: it takes no time from itself. */
export type OfferScope = { instructorId: number | SQL; from: string; to: string; bookingId?: string };

/** The parts of a basis, for the `jsonObject` of a `selectAsked`. */
export const offerBasisParts = () => ({
  settings: settingsJson(),
  instructor: sql<OfferBasis["instructor"]>`json((SELECT ${teacherJson()} FROM ${instructors}
    WHERE ${instructors.id} = ask.instructor_id AND ${isActive}))`,
  overrides: selectOverrides(sql`(ask.instructor_id)`, sql`ask.from_date`, sql`ask.to_date`),
  busy: sql<Busy>`json((SELECT ${busyJson} FROM (
    ${selectBusy(ofAsked, sql`ask.since`, sql`ask.until`, sql`ask.now`)})))`,
});
const ofAsked = sql`${bookings.instructorId} = ask.instructor_id AND ${bookings.id} IS NOT ask.booking_id`;

/**
 * The SELECT of `parts`, which take their values from the columns of `ask`. So their long text is made once, and each
 * call binds only the values.
 */
export function selectAsked<Row>(
  ctx: ReadCtx,
  { instructorId, from, to, bookingId }: OfferScope,
  parts: () => SQL<Row>,
  more: SQL = sql``,
): SQL<Row> {
  return sql`WITH ask AS (SELECT ${instructorId} AS instructor_id, ${from} AS from_date, ${to} AS to_date,
    ${Date.parse(from) - 2 * DAY_MS} AS since, ${Date.parse(to) + 2 * DAY_MS} AS until, ${ctx.now} AS now,
    ${bookingId ?? null} AS booking_id${more})
    SELECT ${parts()} AS snapshot FROM ask`;
}

/** The overrides of some instructors in a range of dates, as JSON; `ids` is a SELECT or a list. */
export function selectOverrides(ids: SQL, from: SQL | string, to: SQL | string): SQL<OverrideRow[]> {
  return sql`json((SELECT ${overridesJson()} FROM ${instructorOverrides} WHERE ${instructorOverrides.instructorId} IN ${ids}
    AND ${instructorOverrides.date} BETWEEN ${from} AND ${to}))`;
}

export const isActive = sql`${instructors.isActive} = 1 AND ${instructors.deletedAt} IS NULL`;

export function slotSettingsOf(ctx: ReadCtx, settings: SettingsRow): SlotSettings {
  return {
    timezone: zoneOf(ctx, settings),
    slotLength: settings.slot_length_minutes,
    slotStep: stepOf(settings),
    buffer: settings.buffer_minutes,
    minNotice: settings.min_notice_minutes,
    advanceDays: settings.advance_days,
  };
}

export function calendarOf({ instructor, overrides, busy }: OfferBasis): Calendar {
  return { schedule: instructor?.schedule ?? [], overrides, busy };
}
