import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import { MINUTE_MS } from "#shared/time/durations.ts";

export const CALENDAR_TYPE = "text/calendar; charset=utf-8";
/** What the calendar file of one booking is called. */
export const CALENDAR_FILE = "lesson.ics";
const REFRESH_SECONDS = (15 * MINUTE_MS) / 1000;

export type CalendarEvent = {
  uid: string;
  /** How often it has changed. */
  sequence: number;
  status: "TENTATIVE" | "CONFIRMED" | "CANCELLED";
  startAt: number;
  endAt: number;
  updatedAt: number;
  summary: string;
  location: string | null;
  description: string | null;
  url: string | null;
};
type Calendar = { name: string; isFeed: boolean; events: readonly CalendarEvent[] };

/** A calendar as RFC 5545 has it; times are in UTC, so that it needs no zones. */
export function renderCalendar({ name, isFeed, events }: Calendar, now: number): string {
  const calendar = ical({
    prodId: "//Company Operations//Bookings//EN",
    method: ICalCalendarMethod.PUBLISH,
    scale: "GREGORIAN",
    // The library escapes all texts but this one.
    ...(isFeed ? { name: escaped(printable(name)), ttl: REFRESH_SECONDS } : {}),
  });
  for (const { uid, sequence, status, startAt, endAt, updatedAt, ...texts } of events)
    calendar.createEvent({
      id: uid,
      sequence,
      status: ICalEventStatus[status],
      stamp: new Date(now),
      start: new Date(startAt),
      end: new Date(endAt),
      lastModified: new Date(updatedAt),
      summary: printable(texts.summary),
      location: texts.location && printable(texts.location),
      description: texts.description && printable(texts.description),
      url: texts.url,
    });
  return `${calendar.toString()}\r\n`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 allows no control character but tab in TEXT.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

function printable(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(CONTROLS, "");
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");
}
