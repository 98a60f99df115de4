import { companyDate, type DayClock, dayClock } from "#core/calendar.ts";
import { addDays } from "#shared/time/dates.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/durations.ts";

/** A stretch of a day, in minutes after midnight. */
type Window = { start: number; end: number };
/** One of an instructor's windows in every week; 1 is Monday. */
export type WeeklyWindow = Window & { weekday: number };
/** A date that differs from the week: the windows that replace it, or what is taken out of it (no times: all of it). */
export type Override = { date: string; available: boolean; start: number | null; end: number | null };
/** Instants (epoch ms) at which taken time begins and ends, in order; it never overlaps. */
export type Busy = { starts: readonly number[]; ends: readonly number[] };
/** When an instructor works, and when not. */
export type Calendar = { schedule: readonly WeeklyWindow[]; overrides: readonly Override[]; busy: Busy };
/** The school's settings, with lengths in minutes. */
export type SlotSettings = {
  timezone: string;
  slotLength: number;
  slotStep: number;
  buffer: number;
  minNotice: number;
  advanceDays: number;
};
export type Reason =
  | "past_date"
  | "outside_advance_window"
  | "closed"
  | "not_working"
  | "duration_too_long"
  | "minimum_notice"
  | "fully_booked";
/** A start that can be booked: minutes after midnight, and the instant. */
export type Slot = { minute: number; startAt: number };
/** What a day offers: slots in order, or the first reason why there is none. */
export type Offer = { slots: Slot[]; reason: Reason | null };

export const FREE: Busy = { starts: [], ends: [] };

/** A date with its weekday and clock, computed once for all instructors. */
export type Day = { date: string; weekday: number; clock: DayClock };

/** The slots of `duration` minutes on a date, as of `now` (epoch ms). */
export function offerOn(
  calendar: Calendar,
  date: string,
  slotSettings: SlotSettings,
  duration: number,
  now: number,
): Offer {
  const today = companyDate(now, slotSettings.timezone);
  if (date < today) return none("past_date");
  if (date > addDays(today, slotSettings.advanceDays)) return none("outside_advance_window");
  return offerWithin(calendar, dayOf(date, slotSettings.timezone), slotSettings, duration, now);
}

/** When the instructor works on a date, booked or not. */
export function workingWindows(calendar: Calendar, date: string): readonly Window[] {
  const windows = windowsOn(calendar, date, weekdayOf(date));
  return windows === "closed" ? [] : windows;
}

/** How many minutes the instructor works on a date, booked or not. */
export function workingMinutes(calendar: Calendar, date: string): number {
  return workingWindows(calendar, date).reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The dates that can be booked, from today on. */
export function bookableDays({ timezone, advanceDays }: SlotSettings, now: number): Day[] {
  const today = companyDate(now, timezone);
  return Array.from({ length: advanceDays + 1 }, (_, ahead) => dayOf(addDays(today, ahead), timezone));
}

/** The first slot on any of the days. */
export function firstOffer(
  calendar: Calendar,
  days: readonly Day[],
  slotSettings: SlotSettings,
  duration: number,
  now: number,
): { date: string; slot: Slot } | null {
  for (const day of days) {
    const [slot] = offerWithin(calendar, day, slotSettings, duration, now).slots;
    if (slot !== undefined) return { date: day.date, slot };
  }
  return null;
}

function offerWithin(
  calendar: Calendar,
  { date, weekday, clock }: Day,
  slotSettings: SlotSettings,
  duration: number,
  now: number,
): Offer {
  const windows = windowsOn(calendar, date, weekday);
  if (windows === "closed") return none("closed");
  if (windows.length === 0) return none("not_working");

  const length = duration * MINUTE_MS;
  const buffer = slotSettings.buffer * MINUTE_MS;
  const earliest = now + slotSettings.minNotice * MINUTE_MS;
  const slots: Slot[] = [];
  let reason: Reason = "duration_too_long";
  for (const { start, end } of windows) {
    for (let minute = start; minute + duration <= end; minute += slotSettings.slotStep) {
      const startAt = clock(minute);
      // A slot that crosses a change of the clock is longer or shorter than it says.
      if (startAt === undefined || clock(minute + duration) !== startAt + length) continue;
      if (startAt < earliest) {
        if (reason === "duration_too_long") reason = "minimum_notice";
      } else if (isTaken(calendar.busy, startAt, startAt + length, buffer)) {
        reason = "fully_booked";
      } else {
        slots.push({ minute, startAt });
      }
    }
  }
  return slots.length > 0 ? { slots, reason: null } : none(reason);
}

/** The working windows of a date, in order and apart from each other. */
function windowsOn(
  { schedule, overrides }: Calendar,
  date: string,
  weekday: number,
): readonly Window[] | "closed" {
  const week = schedule.filter((window) => window.weekday === weekday);
  const ofDate = overrides.filter((override) => override.date === date);
  if (ofDate.length === 0) return merge(week);
  const timed = ofDate.flatMap(({ available, start, end }) =>
    start === null || end === null ? [] : [{ available, start, end }],
  );
  if (timed.length < ofDate.length) return "closed";
  const replacing = timed.filter(({ available }) => available);
  const windows = replacing.length > 0 ? replacing : week;
  return timed
    .filter(({ available }) => !available)
    .reduce<readonly Window[]>((left, cut) => left.flatMap((window) => without(window, cut)), merge(windows));
}

function merge(windows: readonly Window[]): readonly Window[] {
  if (windows.length < 2) return windows;
  const merged: Window[] = [];
  for (const { start, end } of windows.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

function without(window: Window, cut: Window): Window[] {
  if (cut.end <= window.start || cut.start >= window.end) return [window];
  return [
    { start: window.start, end: cut.start },
    { start: cut.end, end: window.end },
  ].filter(({ start, end }) => start < end);
}

/** Whether less than `buffer` lies between the time asked for and time that is taken. */
export function isTaken({ starts, ends }: Busy, from: number, to: number, buffer: number): boolean {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) + buffer > from) high = middle;
    else low = middle + 1;
  }
  return (starts[low] ?? Number.POSITIVE_INFINITY) < to + buffer;
}

function dayOf(date: string, timezone: string): Day {
  return { date, weekday: weekdayOf(date), clock: dayClock(date, timezone) };
}

function weekdayOf(date: string): number {
  // 1 January 1970 was a Thursday.
  return ((Date.parse(date) / DAY_MS + 3) % 7) + 1;
}

function none(reason: Reason): Offer {
  return { slots: [], reason };
}
