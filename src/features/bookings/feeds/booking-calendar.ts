import type { BookingStatus } from "../bookings/statuses.ts";
import { placeOf, type Visit } from "../page/find-visit.ts";
import { type CalendarEvent, renderCalendar } from "./calendar.ts";

/** A booking's status as calendars have it. */
export function calendarStatus(status: BookingStatus): CalendarEvent["status"] {
  if (status === "pending") return "TENTATIVE";
  return status === "cancelled" || status === "expired" ? "CANCELLED" : "CONFIRMED";
}

/** The calendar file of one booking, for its customer; `base` is the address of its page. */
export function calendarOfBooking(visit: Visit, base: string, now: number): string {
  const event = {
    uid: `${visit.id}@${new URL(base).hostname}`,
    sequence: visit.revision,
    status: calendarStatus(visit.status),
    startAt: visit.start_at,
    endAt: visit.end_at,
    updatedAt: visit.updated_at,
    summary: `${visit.course} (${visit.school})`,
    location: placeOf(visit),
    description: `With ${visit.instructor}. Booking ${visit.number}`,
    url: base,
  };
  return renderCalendar({ name: visit.school, isFeed: false, events: [event] }, now);
}
