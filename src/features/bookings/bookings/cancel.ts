import { and, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx, WriteCtx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { AnotherBatch, atomic, type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { sendLater } from "#features/refunds";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { bookings } from "#tables/bookings";
import { planBookingRefund } from "../payments/plan-refund.ts";
import { onceCancelled } from "../payments/refund-due.ts";
import { goesBackByPolicy } from "../payments/refund-on-cancel.ts";
import { refuseLateChange } from "./cancel-window.ts";
import type { BookingCancel, BookingParams } from "./schema.ts";
import { type BookedRow, selectBookings } from "./snapshot.ts";
import type { StaffBookingCancel } from "./staff-schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";

type Write<Row> = (first: readonly SQLWrapper[], refusals: Refusals) => Promise<Row>;

/**
 * Cancels a booking: its slot is free, its package has the session back, and what was paid is due back, or goes back if
 * the school has that rule. Then the batch is written once more, with the refund.
 */
export async function cancelBooking(
  ctx: Ctx,
  { id }: BookingParams,
  body: BookingCancel,
): Promise<BookedRow> {
  const write: Write<BookedRow> = (first, refusals) =>
    cancel(ctx, id, body, selectBookings({ now: ctx.now, where: eq(bookings.id, id) }), first, refusals);
  const byRule = refuseWhen(goesBackByPolicy(ctx, id), "refund_with_cancel");
  try {
    return await write([byRule], { refund_with_cancel: () => new AnotherBatch() });
  } catch (error) {
    if (!(error instanceof AnotherBatch)) throw error;
  }
  try {
    return await cancelAndRefund(ctx, id, write);
  } catch (error) {
    // Another call wrote meanwhile, or the gateway gives no such amount back: then the money is due.
    if (error instanceof Problem && error.status < 500) return write([], {});
    throw error;
  }
}

/** The same, by staff, who say whether the money goes back, and may skip the customer's notification. */
export async function cancelByStaff(
  ctx: Ctx,
  { id }: BookingParams,
  body: StaffBookingCancel,
): Promise<StaffBookingRow> {
  if (body.refund === true) requireScope(ctx, "refunds:write");
  const write: Write<StaffBookingRow> = (first, refusals) =>
    cancel(ctx, id, body, selectStaffBookings(ctx, eq(bookings.id, id)), first, refusals);
  if (body.refund !== true) return write([], {});
  return cancelAndRefund(ctx, id, write).catch((error) => {
    throw nothingGoesBack(error);
  });
}

/** Stores the refunds of all that came for a booking with its cancel: a job sends them. */
async function cancelAndRefund<Row>(ctx: Ctx, id: string, write: Write<Row>): Promise<Row> {
  const plan = await planBookingRefund(ctx, id, { reason: "cancellation" });
  const ended = refuseWhen(
    sql`NOT EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.id} = ${id}
      AND ${bookings.status} <> 'cancelled' AND ${bookings.bookingPackageId} IS NULL)`,
    "refund_exceeds_payment",
  );
  return write([ended, ...plan.statements, sendLater(ctx)], plan.refusals);
}

/** Names the field `refund` in the refusal of a refund of nothing, and gives every other error as it is. */
function nothingGoesBack(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== "refund_exceeds_payment") return error;
  const message = "finds no money that a gateway can send back now: cancel without refund";
  const { details } = fieldProblem("refund", "nothing_to_refund", message);
  return new Problem(error.code, { ...error.details, ...details });
}

function cancel<Row>(
  ctx: WriteCtx,
  id: string,
  body: StaffBookingCancel,
  snapshot: SQL<Row>,
  first: readonly SQLWrapper[],
  refusals: Refusals,
): Promise<Row> {
  const here = eq(bookings.id, id);
  // An unpaid hold may be cancelled late: keeping the slot has no use.
  const isUnpaidHold = sql`${bookings.status} = 'pending' AND ${bookings.paymentStatus} = 'unpaid'`;
  return atomic(
    ctx,
    [
      ...refuseLateChange(ctx, id, body.force, sql`NOT (${isUnpaidHold})`),
      ...first,
      ctx.db
        .update(bookings)
        .set({
          status: "cancelled",
          paymentStatus: onceCancelled,
          cancelReason: body.reason ?? null,
          cancelledAt: ctx.now,
          unnotifiedAt: body.notify === false ? ctx.now : undefined,
          updatedAt: ctx.now,
        })
        .where(and(here, ne(bookings.status, "cancelled"))),
    ],
    snapshot,
    refusals,
  );
}
