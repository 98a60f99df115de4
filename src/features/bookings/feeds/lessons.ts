import { type SQL, sql } from "drizzle-orm";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { bookings, instructors, locations } from "#tables/bookings";
import { customers } from "#tables/customers";
import { products } from "#tables/products";
import { contact } from "../bookings/contact.ts";
import { calendarStatus } from "./booking-calendar.ts";
import type { CalendarEvent } from "./calendar.ts";

const shape = {
  number: bookings.bookingNumber,
  ...columnsNamed(bookings, "start_at", "end_at", "revision", "updated_at"),
  instructor: instructors.name,
  course: products.name,
  contact: contact.name,
  phone: contact.phone,
  pickup: bookings.pickupAddress,
  place: locations.name,
};
/** A booking as the school's own calendars have it. */
export type Lesson = JsonRow<typeof shape> & { status: typeof bookings.$inferSelect.status };
const columns = once(() => jsonObject(shape));
const source = once(
  () => sql`${bookings} JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}
    JOIN ${products} ON ${products.id} = ${bookings.productId} JOIN ${customers} ON ${customers.id} = ${bookings.customerId}
    LEFT JOIN ${locations} ON ${locations.id} = ${bookings.serviceLocationId}`,
);

/** The SELECT of lessons, each with the status given; `tail` is what comes after FROM and its tables. */
export function selectLessons(status: SQL, tail: SQL): SQL<Lesson> {
  return sql<Lesson>`SELECT json_set(${columns()}, '$.status', ${status}) AS snapshot FROM ${source()} ${tail}`;
}

/** A lesson in a calendar of the school's own. */
export function eventOf(
  { origin, company }: Pick<ReadCtx & OutsideCtx, "origin" | "company">,
  lesson: Lesson,
  detail: "full" | "busy",
): CalendarEvent {
  const known = detail === "full";
  return {
    // Not the booking's id: a person who knows that may change the booking.
    uid: `${lesson.number}.${company.slug}@${new URL(origin).hostname}`,
    sequence: lesson.revision,
    status: calendarStatus(lesson.status),
    startAt: lesson.start_at,
    endAt: lesson.end_at,
    updatedAt: lesson.updated_at,
    summary: known ? `${lesson.contact ?? "erased"} (${lesson.course})` : "Lesson",
    location: known ? lesson.pickup || lesson.place : null,
    description: known ? [lesson.instructor, lesson.phone].filter(Boolean).join("\n") : null,
    url: null,
  };
}
