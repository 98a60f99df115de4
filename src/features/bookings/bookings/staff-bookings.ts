import { eq, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { settleCaptures } from "#features/captures";
import { capturesOf } from "#features/gateway-payments";
import { hasMoney, onceCancelled } from "../payments/refund-due.ts";
import type { BookingParams, StaffBookingPatch } from "./schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";
import { bookings } from "./tables.ts";

export async function getStaffBooking(ctx: CallCtx, { id }: BookingParams): Promise<StaffBookingRow> {
  return readOne(ctx, selectStaffBookings(ctx, eq(bookings.id, id)));
}

/**
 * Changes a booking's status or payment status: confirms it, ends or calls off a lesson that has begun, or records
 * money that moved elsewhere. Never takes a slot from another booking.
 */
export function updateBooking(
  ctx: WriteCtx,
  { id }: BookingParams,
  { status, payment_status: paymentStatus, needs_review: review }: StaffBookingPatch,
): Promise<StaffBookingRow> {
  const here = eq(bookings.id, id);
  const payment = paymentStatus ?? null;
  const after = sql`coalesce(${status ?? null}, ${bookings.status})`;
  const hasBegun = sql`${bookings.startAt} <= ${ctx.now}`;
  const moves = sql`${bookings.status} = ${after} OR (${bookings.status} IN ('pending', 'expired') AND ${after} = 'confirmed')
    OR (${bookings.status} = 'confirmed' AND ${after} IN ('completed', 'no_show', 'cancelled') AND ${hasBegun})`;
  const pays = sql`${payment} IS NULL OR ${bookings.paymentStatus} = ${payment}
    OR (${bookings.paymentStatus} = 'unpaid' AND ${payment} = 'paid' AND ${after} IN ('confirmed', 'completed', 'no_show'))
    OR (${bookings.paymentStatus} = 'refund_due' AND ${payment} = 'refunded')
    OR (${hasMoney} AND ${payment} = 'refunded' AND ${hasBegun})`;
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${bookings} WHERE ${here})`, "not_found"),
      ctx.db
        .update(bookings)
        .set({
          status,
          paymentStatus: status === "cancelled" && payment !== "refunded" ? onceCancelled : paymentStatus,
          needsReview: review === undefined ? undefined : 0,
          ...(status === "confirmed" ? { holdExpiresAt: null } : {}),
          ...(status === "cancelled"
            ? { cancelledAt: sql`coalesce(${bookings.cancelledAt}, ${ctx.now})` }
            : {}),
          ...(payment === "paid" ? { paidAt: ctx.now } : {}),
          checkedAt: ctx.now,
          updatedAt: ctx.now,
        })
        .where(sql`${here} AND (${moves}) AND (${pays})`),
      refuseIfNone("invalid_status"),
      ...(payment === "refunded"
        ? settleCaptures(ctx, capturesOf("booking", id), { mode: null, reference: null })
        : []),
    ],
    selectStaffBookings(ctx, here),
  );
}
