import { type Column, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { timestamp } from "#shared/fields/instant.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { bookings, instructorOverrides, instructors } from "#tables/bookings";
import { customers } from "#tables/customers";
import { takesTime } from "../availability/taken-time.ts";
import { contact } from "../bookings/contact.ts";
import { BookingContact, BookingCustomer } from "../bookings/schema.ts";

const MOST_LISTED = 100;

/** What an answer adds when coming lessons are affected, so that the school can inform its learners. */
export const affectedLessons = {
  warnings: z
    .array(z.enum(["bookings_affected"]))
    .optional()
    .meta({ description: "Set if the change affects coming lessons. It cancels none of them." }),
  affected_count: z.int().optional().describe("How many coming lessons the change affects."),
  affected_bookings: z
    .array(
      z
        .object({
          id: z.string(),
          booking_number: z.string(),
          start_at: timestamp,
          contact: BookingContact.optional(),
          customer: BookingCustomer.optional(),
        })
        .meta({ id: "AffectedBooking" }),
    )
    .optional()
    .describe(
      "The first hundred of them; `contact` and `customer` for a key that holds `settings:read` or `diary:read`.",
    ),
};

/** Lessons to come that their instructor does not give any more; the first hundred of `count`. */
type Affected = {
  count: number;
  bookings: {
    id: string;
    booking_number: string;
    start_at: number;
    contact?: { name: string | null; email: string | null; phone: string | null };
    customer?: { id: number; name: string; email: string | null; phone: string | null };
  }[];
};
export type WithAffected<Row> = Row & { affected?: Affected };

/**
 * The SELECT of a record with the lessons to come of an instructor who is switched off by now, or works at other times.
 * Nothing is cancelled by that: the school decides. With `date` (YYYY-MM-DD), only the lessons of that day. Only a
 * key that may read bookings sees whose they are.
 */
export function withAffected<Row>(
  ctx: ReadCtx & Pick<OutsideCtx, "client">,
  id: number,
  record: SQL<Row>,
  date?: string,
): SQL<WithAffected<Row>> {
  const hit = sql`SELECT lesson.* FROM (${lessonsAhead(ctx, sql`${bookings.instructorId} = ${id}`)}) lesson
    WHERE ${date === undefined ? sql`true` : sql`lesson.date = ${date}`} AND ${isHit}`;
  const whose =
    ctx.client.holds("settings:read") || ctx.client.holds("diary:read")
      ? sql`, 'contact', json_object('name', ${contact.name}, 'email', ${contact.email}, 'phone', ${contact.phone}),
      'customer', json_object('id', ${customers.id}, 'name', ${customers.name}, 'email', ${customers.email}, 'phone', ${customers.phone})`
      : sql``;
  const listed = sql`SELECT json_object('id', lesson.id, 'booking_number', lesson.number, 'start_at', lesson.start_at${whose}) AS affected
    FROM (${hit}) lesson JOIN ${bookings} ON ${bookings.id} = lesson.id
      JOIN ${customers} ON ${customers.id} = lesson.customer_id ORDER BY lesson.start_at LIMIT ${MOST_LISTED}`;
  return sql`SELECT json_set(snapshot, '$.affected', json_object('count', (SELECT count(*) FROM (${hit})),
      'bookings', json((SELECT json_group_array(json(affected)) FROM (${listed}))))) AS snapshot FROM (${record})`;
}

/** What an answer says of the lessons that are hit; nothing where there is none. */
export function renderAffected({ affected }: { affected?: Affected | undefined }) {
  if (affected === undefined || affected.count === 0) return {};
  return {
    warnings: ["bookings_affected" as const],
    affected_count: affected.count,
    affected_bookings: affected.bookings.map(
      ({ start_at: startAt, contact: typed, customer, ...booking }) => ({
        ...booking,
        start_at: timestampToWire(startAt),
        ...(typed && { contact: typed.name === null ? null : { ...typed, name: typed.name } }),
        ...(customer && { customer: { ...customer, id: String(customer.id) } }),
      }),
    ),
  };
}

/** The SELECT of the ids of all lessons to come that their instructor does not give any more. */
export function selectOutsideHours(ctx: ReadCtx): SQL {
  return sql`SELECT lesson.id FROM (${lessonsAhead(ctx, sql`true`)}) lesson WHERE ${isHit}`;
}

function lessonsAhead(ctx: ReadCtx, of: SQL): SQL {
  const minutes = (time: Column) => sql`substr(${time}, 1, 2) * 60 + substr(${time}, 4, 2)`;
  return sql`SELECT ${bookings.id} AS id, ${bookings.bookingNumber} AS number, ${bookings.startAt} AS start_at,
      ${bookings.customerId} AS customer_id, ${bookings.instructorId} AS instructor_id, ${bookings.bookingDate} AS date,
      ${minutes(bookings.startTime)} AS since, ${minutes(bookings.endTime)} AS until,
      ${instructors.schedule} AS schedule, ${instructors.isActive} AS is_active
    FROM ${bookings} JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}
    WHERE ${of} AND ${bookings.startAt} > ${ctx.now} AND ${takesTime(ctx.now)}`;
}

// The rules of availability/slots.ts on one lesson: what replaces the week of its date, what is cut out of it, and what is left.
const ofDate = sql`FROM ${instructorOverrides} WHERE ${instructorOverrides.instructorId} = lesson.instructor_id
  AND ${instructorOverrides.date} = lesson.date`;
const isClosed = sql`EXISTS (SELECT 1 ${ofDate} AND ${instructorOverrides.startMinute} IS NULL)`;
const isCut = sql`EXISTS (SELECT 1 ${ofDate} AND ${instructorOverrides.isAvailable} = 0
  AND ${instructorOverrides.startMinute} < lesson.until AND ${instructorOverrides.endMinute} > lesson.since)`;
const replacing = sql`SELECT ${instructorOverrides.startMinute} AS since, ${instructorOverrides.endMinute} AS until ${ofDate}
  AND ${instructorOverrides.isAvailable} = 1`;
// 0 is Sunday to the database, 7 to a schedule.
const windows = sql`${replacing} UNION ALL
  SELECT week.value ->> '$.start', week.value ->> '$.end' FROM json_each(lesson.schedule) week
  WHERE (week.value ->> '$.weekday') % 7 = CAST(strftime('%w', lesson.date) AS INTEGER) AND NOT EXISTS (${replacing})`;
// A lesson may span windows that touch. It is outside when one of its minutes lies in no window.
const isOutside = sql`EXISTS (
  SELECT 1 FROM (SELECT lesson.since AS minute UNION SELECT until FROM (${windows}) WHERE until > lesson.since AND until < lesson.until) point
  WHERE NOT EXISTS (SELECT 1 FROM (${windows}) shift WHERE shift.since <= point.minute AND shift.until > point.minute)
)`;
const isHit = sql`(lesson.is_active = 0 OR ${isClosed} OR ${isCut} OR ${isOutside})`;
