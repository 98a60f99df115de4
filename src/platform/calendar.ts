import type { ReadCtx } from "./context.ts";

type Zone = { formatter: Intl.DateTimeFormat; minute: number; date: string };

// Making a formatter costs a hundred times what using it does, and using it a tenth of a read's own work.
const zones = new Map<string, Zone>();
const MINUTE_MS = 60_000;

/** The date at `epochMs` in an IANA time zone, as `YYYY-MM-DD`. */
export function companyDate(epochMs: number, timezone: string): string {
  let zone = zones.get(timezone);
  if (zone === undefined) {
    // Canadian English writes dates as ISO 8601 does.
    const formatter = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" });
    zone = { formatter, minute: Number.NaN, date: "" };
    zones.set(timezone, zone);
  }
  // No zone's day begins within a minute.
  const minute = Math.floor(epochMs / MINUTE_MS);
  if (zone.minute !== minute) {
    zone.date = zone.formatter.format(epochMs);
    zone.minute = minute;
  }
  return zone.date;
}

/** The company's own date at `ctx.now`. */
export function companyToday(ctx: ReadCtx): string {
  return companyDate(ctx.now, ctx.company.timezone);
}

/** Milliseconds from `epochMs` until the date changes in an IANA time zone; days of 23 and 25 hours are told apart. */
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
