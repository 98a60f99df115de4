import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Ctx } from "#core/context.ts";
import { added, amount, from, internal, rendered } from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { visitorIn } from "#core/visitor-token.ts";
import { unexpectedMoney } from "#features/gateway-payments";
import { timestampOrNull } from "#shared/time/dates.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { instructors } from "../instructors/tables.ts";
import { type BookingStatus, bookings } from "./tables.ts";

type Invoiced = { invoice_url?: string };
type Teacher = { instructor_id: number; instructor_name: string };

/** The fields of a booking that everybody sees who may see it. */
export const bookedFields = {
  id: z.string(),
  booking_number: z.string(),
  status: z.enum(["pending", "confirmed", "completed", "cancelled", "no_show", "expired"]),
  payment_status: z.enum(["unpaid", "paid", "refund_due", "refunded"]),
  total_amount: amount,
  currency: z.string(),
  booking_date: z.string(),
  start_time: z.string(),
  end_time: z.string(),
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
  invoice_url: added(
    z.string().optional().meta({
      format: "uri",
      description:
        "The page of its invoice, where there is one: only in the read of one booking, by the visitor who booked (`X-Visitor`) and by keys with `invoices:read`.",
    }),
    (row: object) => (row as Invoiced).invoice_url,
  ),
};
/** A payment that was not asked for, until staff have reviewed it. */
export const unexpectedPayment = sql<"twice" | "other_amount" | null>`iif(${bookings.needsReview} = 1,
  ${unexpectedMoney("booking", sql<string>`${bookings.id}`)}, NULL)`;

type Changeable = {
  status: BookingStatus;
  payment_status: string;
  start_at: number;
  cancel_window_hours: number;
};

/** Until when a visitor can move a booking, and cancel it, as `refuseLateChange` decides; null if the booking is over. */
export function changeDeadlines(row: Changeable): { move: number | null; cancel: number | null } {
  const { status, payment_status: paid, start_at: start } = row;
  if (status !== "pending" && status !== "confirmed") return { move: null, cancel: null };
  const window = start - row.cancel_window_hours * HOUR_MS;
  return { move: window, cancel: status === "pending" && paid === "unpaid" ? start : window };
}

/** A booking as its visitor sees it. */
export const booked = record(bookings, bookedFields, "Booking");
const source = once(
  () => sql`${bookings} JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}`,
);
/** A booking as the database holds it, with the status that it has at the time of the read. */
export type BookedRow = RowOf<typeof booked>;
/** The SELECT of bookings as they are at `now`; `where` goes on after WHERE. */
export const selectBookings = keptStatement(
  ({ now, where }: Given<{ now: number; where: SQL }>) => sql<BookedRow>`
    SELECT json_set(${booked.columns()}, '$.status', ${statusAt(now)}) AS snapshot FROM ${source()} WHERE ${where}`,
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

const selectRead = keptStatement(
  ({
    now,
    id,
    mayOpen,
    visitor,
  }: Given<{ now: number; id: string; mayOpen: number; visitor: string | null }>) =>
    sql<
      BookedRow & { invoice_token: string | null }
    >`SELECT json_set(${booked.columns()}, '$.status', ${statusAt(now)},
      '$.invoice_token', (SELECT ${invoices.publicToken}
        FROM ${lessonSales} JOIN ${invoices} ON ${invoices.id} = ${lessonSales.invoiceId}
        WHERE ${lessonSales.bookingId} = ${bookings.id} AND ${lessonSales.endedBy} IS NULL AND ${invoices.status} <> 'voided'
          AND (${mayOpen} = 1 OR ${bookings.visitor} = ${visitor}))) AS snapshot
      FROM ${source()} WHERE ${bookings.id} = ${id}`,
);

/** A booking as it is now; its id is enough to read it, but for the address of its invoice. */
export async function getBooking(ctx: Ctx, { id }: { id: string }): Promise<BookedRow & Invoiced> {
  const visitor = await visitorIn(ctx, ctx.client.visitorToken);
  const mayOpen = Number(ctx.client.holds("invoices:read"));
  const row = await readOne(ctx, selectRead({ now: ctx.now, id, mayOpen, visitor }));
  const { invoice_token: token, ...booking } = row;
  return token === null
    ? booking
    : { ...booking, invoice_url: `${ctx.origin}/i/${ctx.company.slug}/${token}` };
}
