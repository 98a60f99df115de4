import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { added, amount, from, internal, rendered } from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { unexpectedMoney } from "#features/gateway-payments";
import { moneyOnWire } from "#shared/fields/numbers.ts";
import { timestampOrNull } from "#shared/time/dates.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { bookings, instructors } from "#tables/bookings";
import { schoolTime } from "../schema.ts";
import type { BookingStatus } from "./statuses.ts";

/** What only the read of one booking has. */
const Detailed = z.object({
  external_id: z
    .string()
    .optional()
    .describe("The id that you gave it: for secret keys, in the answer of its create and its own read."),
  course: z
    .object({ id: z.int(), name: z.string() })
    .optional()
    .meta({ description: "What was booked. Only in the read of one booking." }),
  invoice_url: z.string().optional().meta({
    format: "uri",
    description:
      "The page of its invoice, where there is one: only in the read of one booking, by the visitor who booked (`X-Visitor`) and by keys with `invoices:read`.",
  }),
  cancellation: z
    .object({
      until: z.string().meta({ format: "date-time", description: "The last moment to cancel." }),
      refund_amount: moneyOnWire,
    })
    .nullable()
    .optional()
    .describe(
      "What a visitor who cancels now can expect; null if it is too late. Only in the read of one booking.",
    ),
});
export type Detailed = z.infer<typeof Detailed>;
type Teacher = { instructor_id: number; instructor_name: string };

/** The fields of a booking that everybody sees who may see it. */
export const bookedFields = {
  id: z.string(),
  booking_number: z.string().describe("The number that the school and the learner quote."),
  status: z.enum(["pending", "confirmed", "completed", "cancelled", "no_show", "expired"]),
  payment_status: z.enum(["unpaid", "paid", "refund_due", "refunded"]),
  total_amount: amount,
  currency: z.string(),
  booking_date: z.string().describe("In the school's time zone."),
  start_time: schoolTime,
  end_time: schoolTime,
  timezone: z.string().meta({ description: "IANA name of the time zone of the booking's times." }),
  hold_expires_at: rendered(
    z.string().nullable().meta({ format: "date-time", description: "When the hold of an unpaid slot ends." }),
    timestampOrNull,
  ),
  instructor: added(
    z.object({ id: z.int(), name: z.string() }),
    ({ instructor_id: id, instructor_name: name }: Teacher) => ({ id, name }),
  ),
  instructor_id: internal<number>(),
  instructor_name: from(instructors.name, internal<string>()),
  external_id: added(Detailed.shape.external_id, (row: object) => (row as Detailed).external_id),
  course: added(Detailed.shape.course, (row: object) => (row as Detailed).course),
  invoice_url: added(Detailed.shape.invoice_url, (row: object) => (row as Detailed).invoice_url),
  cancellation: added(Detailed.shape.cancellation, (row: object) => (row as Detailed).cancellation),
};
/** A payment that was not asked for, until staff have reviewed it. */
export const unexpectedPayment = sql<"twice" | "other_amount" | null>`iif(${bookings.needsReview} = 1,
  ${unexpectedMoney("booking", sql<string>`${bookings.id}`)}, NULL)`;

type Changeable = Pick<BookedRow, "status" | "payment_status"> &
  Record<"start_at" | "cancel_window_hours", number>;

/** Until when a visitor can move a booking, and cancel it, as `refuseLateChange` decides; null if the booking is over. */
export function changeDeadlines(row: Changeable): { move: number | null; cancel: number | null } {
  const { status, payment_status: paid, start_at: start } = row;
  if (status !== "pending" && status !== "confirmed") return { move: null, cancel: null };
  const window = start - row.cancel_window_hours * HOUR_MS;
  return { move: window, cancel: status === "pending" && paid === "unpaid" ? start : window };
}

/** Until when a visitor can cancel a booking; null if it is too late or the booking is over. */
export function cancelDeadline(row: Changeable, now: number): number | null {
  const { cancel } = changeDeadlines(row);
  return cancel !== null && now <= cancel && now < row.start_at ? cancel : null;
}

/** A booking as its visitor sees it. */
export const booked = record(bookings, bookedFields, "Booking");
/** Where bookings are selected from. */
export const bookingSource = once(
  () => sql`${bookings} JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}`,
);
/** A booking as the database holds it, with the status that it has at the time of the read. */
export type BookedRow = RowOf<typeof booked>;
/** The SELECT of bookings as they are at `now`; `where` goes on after WHERE. */
export const selectBookings = keptStatement(
  ({ now, where }: Given<{ now: number; where: SQL }>) => sql<BookedRow>`
    SELECT json_set(${booked.columns()}, '$.status', ${statusAt(now)}) AS snapshot FROM ${bookingSource()} WHERE ${where}`,
);

/** The status at `now`: a hold that ran out is expired, even before the hourly jobs have run. */
export function statusAt(now: number | SQL<number>): SQL<BookingStatus> {
  return sql`iif(${bookings.status} = 'pending' AND ${bookings.holdExpiresAt} <= ${now}, 'expired', ${bookings.status})`;
}

/** A booking's fields without a hold that is over. */
export function renderBooking(row: BookedRow) {
  const shown = booked.render(row);
  return row.status === "pending" ? shown : { ...shown, hold_expires_at: null };
}
