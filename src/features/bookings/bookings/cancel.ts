import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { onceCancelled } from "../payments/refund-due.ts";
import { refuseLateChange } from "./cancel-window.ts";
import type { BookingCancel, BookingParams } from "./schema.ts";
import { type BookedRow, selectBookings } from "./snapshot.ts";
import type { StaffBookingCancel } from "./staff-schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";
import { bookings } from "./tables.ts";

/** Cancels a booking: its slot is free, its package has the session back, and what was paid is due back. */
export function cancelBooking(ctx: WriteCtx, { id }: BookingParams, body: BookingCancel): Promise<BookedRow> {
  return cancel(ctx, id, body, selectBookings({ now: ctx.now, where: eq(bookings.id, id) }));
}

/** The same, by staff, who may skip the customer's notification. */
export function cancelByStaff(
  ctx: WriteCtx,
  { id }: BookingParams,
  body: StaffBookingCancel,
): Promise<StaffBookingRow> {
  return cancel(ctx, id, body, selectStaffBookings(ctx, eq(bookings.id, id)));
}

function cancel<Row>(ctx: WriteCtx, id: string, body: StaffBookingCancel, snapshot: SQL<Row>): Promise<Row> {
  const here = eq(bookings.id, id);
  // An unpaid hold may be cancelled late: keeping the slot has no use.
  const isUnpaidHold = sql`${bookings.status} = 'pending' AND ${bookings.paymentStatus} = 'unpaid'`;
  return atomic(
    ctx,
    [
      ...refuseLateChange(ctx, id, body.force, sql`NOT (${isUnpaidHold})`),
      ctx.db
        .update(bookings)
        .set({
          status: "cancelled",
          paymentStatus: onceCancelled,
          cancelReason: body.reason ?? null,
          cancelledAt: ctx.now,
          untoldAt: body.notify === false ? ctx.now : undefined,
          updatedAt: ctx.now,
        })
        .where(and(here, ne(bookings.status, "cancelled"))),
    ],
    snapshot,
  );
}
