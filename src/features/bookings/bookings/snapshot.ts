import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { instructors } from "../instructors/tables.ts";
import { type BookingStatus, bookings } from "./tables.ts";

/** What everybody who may see a booking sees of it. */
export const bookedShape = {
  id: bookings.id,
  booking_number: bookings.bookingNumber,
  status: bookings.status,
  payment_status: bookings.paymentStatus,
  total_amount: bookings.totalAmount,
  currency: bookings.currency,
  booking_date: bookings.bookingDate,
  start_time: bookings.startTime,
  end_time: bookings.endTime,
  timezone: bookings.timezone,
  hold_expires_at: bookings.holdExpiresAt,
  instructor_id: bookings.instructorId,
  instructor_name: instructors.name,
};
const columns = once(() => jsonObject(bookedShape));
const source = once(
  () => sql`${bookings} JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}`,
);
/** A booking as the database holds it, with the status that it has at the time of the read. */
export type BookedRow = JsonRow<typeof bookedShape>;
/** The SELECT of bookings as they are at `now`; `where` goes on after WHERE. */
export const selectBookings = keptStatement(
  ({ now, where }: Given<{ now: number; where: SQL }>) => sql<BookedRow>`
    SELECT json_set(${columns()}, '$.status', ${statusAt(now)}) AS snapshot FROM ${source()} WHERE ${where}`,
);

/** The status at `now`: a hold that ran out is expired, even before the hourly jobs have run. */
export function statusAt(now: number | SQL<number>): SQL<BookingStatus> {
  return sql`iif(${bookings.status} = 'pending' AND ${bookings.holdExpiresAt} <= ${now}, 'expired', ${bookings.status})`;
}

export function renderBooking(row: BookedRow) {
  const held = row.status === "pending" && row.hold_expires_at !== null;
  return {
    ...row,
    total_amount: moneyToWire(row.total_amount),
    hold_expires_at: held ? timestampToWire(row.hold_expires_at ?? 0) : null,
    instructor: { id: row.instructor_id, name: row.instructor_name },
  };
}
