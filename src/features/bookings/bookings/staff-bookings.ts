import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { CallCtx, ReadCtx, WriteCtx } from "#platform/context.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { Listed, Page } from "#shared/page.ts";
import { hasMoney, onceCancelled } from "../payments/refund-due.ts";
import type { BookingParams, StaffBookingPatch, StaffBookingQuery } from "./schema.ts";
import { statusAt } from "./snapshot.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";
import { type BookingStatus, bookings, type PaymentStatus } from "./tables.ts";

/** The bookings, those made last first; with all that the school knows of them. */
export async function listBookings(
  ctx: CallCtx,
  _params: unknown,
  { booking_date: date, status, payment_status: paymentStatus, page }: StaffBookingQuery & { page: Page },
): Promise<Listed<StaffBookingRow>> {
  const [at = Number.MAX_SAFE_INTEGER, id = ""] = page.after ?? [];
  const filters = and(
    date === undefined ? undefined : eq(bookings.bookingDate, date),
    status === undefined ? undefined : hasStatus(ctx, status),
    paymentStatus === undefined ? undefined : isPaid(paymentStatus),
  );
  const tail = sql`${filters ?? sql`true`} AND (${bookings.createdAt}, ${bookings.id}) < (${at}, ${id})
    ORDER BY ${bookings.createdAt} DESC, ${bookings.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectStaffBookings(ctx, tail));
}

/** The status is that of now: a hold that ran out is expired, whether housekeeping came by or not. */
function hasStatus(ctx: ReadCtx, wanted: readonly BookingStatus[]): SQL | undefined {
  const stored = wanted.includes("expired") ? [...wanted, "pending" as const] : wanted;
  return and(inArray(bookings.status, stored), sql`${statusAt(ctx.now)} IN ${wanted}`);
}

// Literal text, so that the database can use its partial index of unpaid and refundable bookings.
function isPaid(wanted: readonly PaymentStatus[]): SQL | undefined {
  const isOpen = wanted.every((one) => one === "unpaid" || one === "refund_due");
  const open = sql`${bookings.paymentStatus} IN ('unpaid', 'refund_due')`;
  return and(isOpen ? open : undefined, inArray(bookings.paymentStatus, [...wanted]));
}

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
    ],
    selectStaffBookings(ctx, here),
  );
}
