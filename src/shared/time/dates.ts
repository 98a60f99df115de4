import * as z from "zod";
import { DAY_MS } from "./durations.ts";

const FIRST_DATE = "1900-01-01";
const LAST_DATE = "2999-12-31";

// Date.parse turns 2026-02-30 into 2 March and reads other notations too: only what it writes back unchanged is a date.
function isCalendarDate(text: string): boolean {
  const epochMs = Date.parse(text);
  return !Number.isNaN(epochMs) && dateOf(epochMs) === text && text >= FIRST_DATE && text <= LAST_DATE;
}

function dateOf(epochMs: number): string {
  return timestampToWire(epochMs).slice(0, 10);
}

/** A calendar date `YYYY-MM-DD` from 1900-01-01 to 2999-12-31; such dates compare correctly as strings. */
export const isoDate = z
  .string()
  .refine(isCalendarDate, {
    params: { code: "invalid_date" },
    error: `must be a date YYYY-MM-DD from ${FIRST_DATE} to ${LAST_DATE}`,
  })
  .meta({ format: "date" });

/** The `YYYY-MM-DD` date that lies `days` (negative: earlier) after `date`. */
export function addDays(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * DAY_MS);
}

const remembered = { day: Number.NaN, text: "" };

/** Epoch milliseconds as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function timestampToWire(epochMs: number): string {
  const day = Math.floor(epochMs / DAY_MS);
  // A list's rows are mostly of one day, and a day's text costs most of what the whole does.
  if (day !== remembered.day) {
    remembered.day = day;
    remembered.text = new Date(day * DAY_MS).toISOString().slice(0, -13);
  }
  const ms = epochMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return `${remembered.text}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${String(ms % 1_000).padStart(3, "0")}Z`;
}

/** Epoch milliseconds on the wire, or null where there are none. */
export function timestampOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : timestampToWire(epochMs);
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
