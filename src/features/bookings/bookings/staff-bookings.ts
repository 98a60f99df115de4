import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx, Ctx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { ofBooking, withCaptures } from "#features/captures";
import { capturesOf } from "#features/gateway-payments";
import { reduceAmountDue } from "#features/invoices";
import { reverseEntries } from "#features/ledger";
import { removedEarnings, takeBackEarning } from "#features/lessons";
import { modeInactive, recordModePayment, selectModeOrCash } from "#features/payments";
import { refundRuns } from "#features/refunds";
import { pick } from "#shared/pick.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { bookings } from "#tables/bookings";
import { gatewayCaptures } from "#tables/captures";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { hasMoney, onceCancelled } from "../payments/refund-due.ts";
import { bookPayment } from "../receipts/book-payment.ts";
import { GIVE_BACK_REFUSALS, giveBack } from "../receipts/give-back.ts";
import { numberOf, paidLesson, selectSale, selectSeller } from "../receipts/sale.ts";
import type { BookingParams, StaffBookingPatch } from "./schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";

export async function getStaffBooking(ctx: CallCtx, { id }: BookingParams): Promise<StaffBookingRow> {
  return readOne(ctx, withCaptures(selectStaffBookings(ctx, eq(bookings.id, id)), ofBooking(id)));
}

/**
 * Changes a booking's status or payment status: confirms it, ends or calls off a lesson that has begun, or records
 * money that moved elsewhere. Never takes a slot from another booking.
 */
export async function updateBooking(
  ctx: Ctx,
  { id }: BookingParams,
  { status, payment_status: paymentStatus, payment_mode_id: modeId, needs_review: review }: StaffBookingPatch,
): Promise<StaffBookingRow> {
  const here = eq(bookings.id, id);
  const payment = paymentStatus ?? null;
  if (modeId !== undefined && payment === null)
    throw fieldProblem("payment_mode_id", "not_accepted", "goes with a payment_status");
  const { booked, when } = payment === "paid" ? await bookByStaff(ctx, id, modeId) : NOTHING_BOOKED;
  const back = payment === "refunded" ? await giveBack(ctx, id, modeId ?? null) : [];
  const after = sql`coalesce(${status ?? null}, ${bookings.status})`;
  const hasBegun = sql`${bookings.startAt} <= ${ctx.now}`;
  const moves = sql`${bookings.status} = ${after} OR (${bookings.status} IN ('pending', 'expired') AND ${after} = 'confirmed')
    OR (${bookings.status} = 'confirmed' AND ${after} IN ('completed', 'no_show', 'cancelled') AND ${hasBegun})`;
  // Marked as refunded by mistake, its money is there still, unless a gateway took it, or a package went with it.
  const isUnpaid = sql`${bookings.paymentStatus} = 'unpaid' OR (${bookings.paymentStatus} = 'refunded'
    AND ${bookings.bookingPackageId} IS NULL AND NOT EXISTS (SELECT 1 FROM ${gatewayCaptures} WHERE ${capturesOf("booking", id)}))`;
  const isBack = sql`${bookings.refundedAmount} >= ${bookings.totalAmount}`;
  const pays = sql`${payment} IS NULL OR ${bookings.paymentStatus} = ${payment}
    OR ((${isUnpaid}) AND ${payment} = 'paid'
      AND (${bookings.paymentStatus} = 'refunded' OR ${after} IN ('confirmed', 'completed', 'no_show')))
    OR (${bookings.paymentStatus} = 'refund_due' AND ${payment} = 'refunded')
    OR (${hasMoney} AND ${payment} = 'refunded' AND (${hasBegun} OR ${isBack}))`;
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${bookings} WHERE ${here})`, "not_found"),
      ...(payment === "refunded" ? [refuseWhen(refundRuns("booking", id), "refund_in_progress")] : []),
      ctx.db
        .update(bookings)
        .set({
          status,
          paymentStatus:
            status === "cancelled" && payment !== "refunded" ? onceCancelled : isMarked(paymentStatus),
          needsReview: review === undefined ? undefined : 0,
          ...(status === "confirmed" ? { holdExpiresAt: null } : {}),
          ...(status === "cancelled"
            ? { cancelledAt: sql`coalesce(${bookings.cancelledAt}, ${ctx.now})` }
            : {}),
          ...(payment === "paid" ? { paidAt: ctx.now } : {}),
          ...(payment === "refunded" ? { givenBackAt: onceGivenBack(ctx.now) } : {}),
          checkedAt: ctx.now,
          updatedAt: ctx.now,
        })
        .where(sql`${here} AND (${moves}) AND (${pays}) AND ${when}`),
      refuseIfNone("invalid_status"),
      ...booked,
      ...(status === "cancelled" ? [takeBackEarning(ctx, id)] : []),
      ...back,
      ...(status === "cancelled" && payment !== "refunded"
        ? reverseEntries(ctx, [removedEarnings(ctx)])
        : []),
    ],
    selectStaffBookings(ctx, here),
    { ...GIVE_BACK_REFUSALS, amount_exceeds_due: () => new Problem("invalid_status") },
  );
}

/** What a mark makes of the payment: money of a cancelled booking that is there after all is due back. */
function isMarked(marked: StaffBookingPatch["payment_status"]) {
  if (marked !== "paid") return marked;
  return sql<"paid" | "refund_due">`iif(${bookings.status} = 'cancelled', 'refund_due', 'paid')`;
}

/** When staff first marked the money as paid back, since it was due last. */
function onceGivenBack(now: number): SQL<number> {
  return sql`iif(${bookings.paymentStatus} = 'refunded', ${bookings.givenBackAt}, ${now})`;
}

/** The SELECT of the id of a booking's invoice that stands. */
function liveInvoice(id: string): SQL {
  return sql`SELECT ${lessonSales.invoiceId} FROM ${lessonSales}
    WHERE ${lessonSales.bookingId} = ${id} AND ${lessonSales.endedBy} IS NULL AND ${lessonSales.invoiceId} IS NOT NULL`;
}

type Booked = { booked: readonly SQLWrapper[]; when: SQL };
const NOTHING_BOOKED: Booked = { booked: [], when: sql`true` };

/** The statements of the document of money that staff took, and when they hold; none where the booking has its money, or no price. */
async function bookByStaff(ctx: Ctx, id: string, modeId: number | undefined): Promise<Booked> {
  const [[found], [seller], [mode], [invoice]] = await read(ctx, [
    selectSale({ id }),
    selectSeller({}),
    selectModeOrCash({ id: modeId ?? null }),
    ctx.db
      .select(pick(invoices, "id", "amountDue"))
      .from(invoices)
      .where(sql`${invoices.id} IN (${liveInvoice(id)})`),
  ]);
  if (mode === undefined) throw modeInactive();
  if (found === undefined || seller === undefined) return NOTHING_BOOKED;
  const { paymentStatus, totalAmount, customerId, currency } = found.booking;
  if (paymentStatus === "paid" && invoice !== undefined && invoice.amountDue > 0) {
    // Its payment was taken back: the invoice stands.
    const of = { invoiceId: sql<number>`${invoice.id}`, customerId, currency, mode };
    const payment = { ...of, amount: invoice.amountDue, date: companyToday(ctx), reference: numberOf(id) };
    const due = reduceAmountDue(ctx, invoice.id, { amount: invoice.amountDue, tdsAmount: 0 });
    return {
      booked: [due, ...recordModePayment(ctx, payment, 0)],
      when: sql`${bookings.paymentStatus} = 'paid'`,
    };
  }
  if (paymentStatus === "paid" || totalAmount === 0) return NOTHING_BOOKED;
  const { issueInvoices } = found;
  return {
    booked: bookPayment(ctx, paidLesson(ctx, found), { seller, issueInvoices, way: { mode } }),
    when: sql`${bookings.paymentStatus} <> 'paid'`,
  };
}
