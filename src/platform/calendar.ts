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
