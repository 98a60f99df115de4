import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { renderStartedPayment, startedPayments } from "#features/gateway-payments";
import { atomic, refuseIfNone, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once } from "#platform/json.ts";
import { readList, readOne } from "#platform/read-records.ts";
import { timestampToWire } from "#shared/dates.ts";
import type { Listed, Page } from "#shared/page.ts";
import { customers } from "#tables/customers";
import { instructors } from "../instructors/tables.ts";
import type { BookingParams } from "../reservations/schema.ts";
import { bookedShape, renderBooking, statusAt } from "../reservations/snapshot.ts";
import { type BookingStatus, bookings, type PaymentStatus } from "../reservations/tables.ts";
import type { StaffBookingPatch, StaffBookingQuery } from "./schema.ts";

const shape = {
  ...bookedShape,
  customer_id: bookings.customerId,
  customer_name: customers.name,
  email: customers.email,
  phone: customers.phone,
  product_id: bookings.productId,
  service_location_id: bookings.serviceLocationId,
  booking_package_id: bookings.bookingPackageId,
  pickup_address: bookings.pickupAddress,
  student_notes: bookings.studentNotes,
  cancel_reason: bookings.cancelReason,
  needs_review: bookings.needsReview,
  payments: startedPayments("booking", sql`${bookings.id}`),
  created_at: bookings.createdAt,
  updated_at: bookings.updatedAt,
};
type StaffBookingRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));
const source = once(
  () => sql`${bookings} CROSS JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}
    CROSS JOIN ${customers} ON ${customers.id} = ${bookings.customerId}`,
);

/** The bookings, those made last first; with all that the school knows of them. */
export async function listBookings(
  ctx: Ctx,
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
  return readList(ctx, page, select(ctx, tail));
}

/** The status is that of now: a hold that ran out is expired, whether housekeeping came by or not. */
function hasStatus(ctx: Ctx, wanted: readonly BookingStatus[]): SQL | undefined {
  const stored = wanted.includes("expired") ? [...wanted, "pending" as const] : wanted;
  return and(inArray(bookings.status, stored), sql`${statusAt(ctx.now)} IN ${wanted}`);
}

// The literal text says to the database that its index of those who owe or are owed serves.
function isPaid(wanted: readonly PaymentStatus[]): SQL | undefined {
  const isOpen = wanted.every((one) => one === "unpaid" || one === "refund_due");
  const open = sql`${bookings.paymentStatus} IN ('unpaid', 'refund_due')`;
  return and(isOpen ? open : undefined, inArray(bookings.paymentStatus, [...wanted]));
}

export async function getStaffBooking(ctx: Ctx, { id }: BookingParams): Promise<StaffBookingRow> {
  return readOne(ctx, select(ctx, eq(bookings.id, id)));
}

/**
 * Confirms a booking, ends or calls off a lesson that has begun, or notes money that moved elsewhere; a slot that is
 * another's stays so.
 */
export function updateBooking(
  ctx: Ctx,
  { id }: BookingParams,
  { status, payment_status: paymentStatus, needs_review: review }: StaffBookingPatch,
): Promise<StaffBookingRow> {
  const here = eq(bookings.id, id);
  const payment = paymentStatus ?? null;
  const after = sql`coalesce(${status ?? null}, ${bookings.status})`;
  const hasBegun = sql`${bookings.startAt} <= ${ctx.now}`;
  const hasMoney = sql`${bookings.paymentStatus} = 'paid' AND ${bookings.totalAmount} > 0`;
  const moves = sql`${bookings.status} = ${after} OR (${bookings.status} IN ('pending', 'expired') AND ${after} = 'confirmed')
    OR (${bookings.status} = 'confirmed' AND ${after} IN ('completed', 'no_show', 'cancelled') AND ${hasBegun})`;
  const pays = sql`${payment} IS NULL OR ${bookings.paymentStatus} = ${payment}
    OR (${bookings.paymentStatus} = 'unpaid' AND ${payment} = 'paid' AND ${after} IN ('confirmed', 'completed', 'no_show'))
    OR (${bookings.paymentStatus} = 'refund_due' AND ${payment} = 'refunded')
    OR (${hasMoney} AND ${payment} = 'refunded' AND ${hasBegun})`;
  const dueBack = sql<PaymentStatus>`iif(${hasMoney}, 'refund_due', ${bookings.paymentStatus})`;
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${bookings} WHERE ${here})`, "not_found"),
      ctx.db
        .update(bookings)
        .set({
          status,
          paymentStatus: status === "cancelled" && payment !== "refunded" ? dueBack : paymentStatus,
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
    select(ctx, here),
  );
}

export function renderStaffBooking(row: StaffBookingRow) {
  return {
    ...row,
    ...renderBooking(row),
    customer: { id: String(row.customer_id), name: row.customer_name, email: row.email, phone: row.phone },
    needs_review: row.needs_review === 1,
    payments: row.payments.map(renderStartedPayment),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

function select(ctx: Ctx, tail: SQL): SQL<StaffBookingRow> {
  return sql`SELECT json_set(${columns()}, '$.status', ${statusAt(ctx.now)}) AS snapshot FROM ${source()} WHERE ${tail}`;
}
