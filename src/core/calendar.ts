import { DAY_MS, MINUTE_MS } from "#shared/time/durations.ts";
import type { ReadCtx } from "./context.ts";

type Zone = { date: Intl.DateTimeFormat; wall: Intl.DateTimeFormat; minute: number; today: string };
/** The instant (epoch ms) at which a day's clock shows so many minutes after midnight; undefined where it never does. */
export type DayClock = (minute: number) => number | undefined;

// Making a formatter costs a hundred times what using it does, and using it a tenth of a read's own work.
const zones = new Map<string, Zone>();
const clocks = new Map<string, DayClock>();
const MOST_CLOCKS = 5_000;

/** The date at `epochMs` in an IANA time zone, as `YYYY-MM-DD`. */
export function companyDate(epochMs: number, timezone: string): string {
  const zone = zoneOf(timezone);
  // No zone's day begins within a minute.
  const minute = Math.floor(epochMs / MINUTE_MS);
  if (zone.minute !== minute) {
    zone.today = zone.date.format(epochMs);
    zone.minute = minute;
  }
  return zone.today;
}

/** The company's own date at `ctx.now`. */
export function companyToday(ctx: Pick<ReadCtx, "company" | "now">): string {
  return companyDate(ctx.now, ctx.company.timezone);
}

/**
 * The clock of one `YYYY-MM-DD` day in a time zone. A time that comes twice is the earlier one. On all days but those of
 * a clock change, minutes are counted from midnight, which is worked out once.
 */
export function dayClock(date: string, timezone: string): DayClock {
  const name = `${date} ${timezone}`;
  const known = clocks.get(name);
  if (known !== undefined) return known;
  const day = Date.parse(date);
  const midnight = instantOf(day, timezone);
  const even = midnight !== undefined && instantOf(day + DAY_MS, timezone) === midnight + DAY_MS;
  const clock: DayClock = even
    ? (minute) => midnight + minute * MINUTE_MS
    : (minute) => instantOf(day + minute * MINUTE_MS, timezone);
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  clocks.set(name, clock);
  return clock;
}

/** The instant (epoch ms) at which a `YYYY-MM-DD` day begins in a time zone: midnight, or what the clocks skip to. */
export function dayStart(date: string, timezone: string): number {
  const clock = dayClock(date, timezone);
  for (let minute = 0; minute < 24 * 60; minute += 15) {
    const instant = clock(minute);
    if (instant !== undefined) return instant;
  }
  // A day that a zone left out begins where the one after it does.
  return Date.parse(date) + DAY_MS - offsetAt(Date.parse(date) + DAY_MS, timezone);
}

/** The earliest instant whose local time is `wall` (written as if it were UTC), by the offsets of the day before and after. */
function instantOf(wall: number, timezone: string): number | undefined {
  const instants = [wall - DAY_MS, wall + DAY_MS]
    .map((near) => wall - offsetAt(near, timezone))
    .filter((instant) => instant + offsetAt(instant, timezone) === wall);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** How far local time is ahead of UTC at an instant of whole seconds, in milliseconds. */
function offsetAt(epochMs: number, timezone: string): number {
  return Date.parse(`${zoneOf(timezone).wall.format(epochMs).replace(" ", "T")}Z`) - epochMs;
}

function zoneOf(timezone: string): Zone {
  const known = zones.get(timezone);
  if (known !== undefined) return known;
  // Canadian English writes dates as ISO 8601 does, Swedish dates and times.
  const date = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" });
  const wall = new Intl.DateTimeFormat("sv-SE", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const zone = { date, wall, minute: Number.NaN, today: "" };
  zones.set(timezone, zone);
  return zone;
}

/** Milliseconds from `epochMs` until the date changes in an IANA time zone; days of 23 and 25 hours are distinguished. */
export function msUntilTomorrow(epochMs: number, timezone: string): number {
  const today = companyDate(epochMs, timezone);
  // In no zone does a day begin within a minute, nor lie more than 50 hours ahead.
  let before = Math.floor(epochMs / MINUTE_MS);
  let after = before + 50 * 60;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (companyDate(middle * MINUTE_MS, timezone) === today) before = middle;
    else after = middle;
  }
  return after * MINUTE_MS - epochMs;
}
