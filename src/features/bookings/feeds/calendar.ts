import { timestampToWire } from "#shared/time/dates.ts";

export const CALENDAR_TYPE = "text/calendar; charset=utf-8";
/** What the calendar file of one booking is called. */
export const CALENDAR_FILE = "lesson.ics";
const MOST_OCTETS = 75;
const encoder = new TextEncoder();

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
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Company Operations//Bookings//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    ...(isFeed
      ? [
          `NAME:${escapeText(name)}`,
          `X-WR-CALNAME:${escapeText(name)}`,
          "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
          "X-PUBLISHED-TTL:PT15M",
        ]
      : []),
    ...events.flatMap((event) => linesOf(event, now)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

function linesOf(event: CalendarEvent, now: number): string[] {
  const { location, description, url } = event;
  return [
    "BEGIN:VEVENT",
    `UID:${event.uid}`,
    `DTSTAMP:${utc(now)}`,
    `LAST-MODIFIED:${utc(event.updatedAt)}`,
    `SEQUENCE:${event.sequence}`,
    `STATUS:${event.status}`,
    `DTSTART:${utc(event.startAt)}`,
    `DTEND:${utc(event.endAt)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    ...(location === null ? [] : [`LOCATION:${escapeText(location)}`]),
    ...(description === null ? [] : [`DESCRIPTION:${escapeText(description)}`]),
    ...(url === null ? [] : [`URL:${url}`]),
    "END:VEVENT",
  ];
}

function utc(epochMs: number): string {
  return timestampToWire(epochMs).replace(/[-:]|\.\d+/g, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 allows no control character but tab in TEXT.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

function escapeText(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replace(CONTROLS, "");
  return lines.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");
}

/** A line in pieces of 75 octets at most, between characters; each but the first begins with a space. */
function fold(line: string): string {
  if (encoder.encode(line).length <= MOST_OCTETS) return line;
  const pieces: string[] = [];
  let piece = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MOST_OCTETS) {
      pieces.push(piece);
      piece = " ";
      octets = 1;
    }
    piece += character;
    octets += size;
  }
  return [...pieces, piece].join("\r\n");
}
