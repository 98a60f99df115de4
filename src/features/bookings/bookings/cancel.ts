import { and, eq, ne, sql } from "drizzle-orm";
import type { WriteCtx } from "#platform/context.ts";
import { atomic } from "#platform/write/atomic.ts";
import { onceCancelled } from "../payments/refund-due.ts";
import { refuseLateChange } from "./cancel-window.ts";
import type { BookingCancel, BookingParams } from "./schema.ts";
import { type BookedRow, selectBookings } from "./snapshot.ts";
import { bookings } from "./tables.ts";

/** Cancels a booking: its slot is free, its package has the session back, and what was paid is due back. */
export function cancelBooking(ctx: WriteCtx, { id }: BookingParams, body: BookingCancel): Promise<BookedRow> {
  const here = eq(bookings.id, id);
  // An unpaid hold may be cancelled late: keeping the slot would help nobody.
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
          updatedAt: ctx.now,
        })
        .where(and(here, ne(bookings.status, "cancelled"))),
    ],
    selectBookings({ now: ctx.now, where: here }),
  );
}
