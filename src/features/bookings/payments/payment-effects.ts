import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { type Effects, hasOtherMoney, type PaidEffect, type PaidIntent } from "#features/gateway-payments";
import { DAY_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { bookingSettings, bookings } from "#tables/bookings";
import { takesTime } from "../availability/taken-time.ts";
import type { BookingStatus } from "../bookings/statuses.ts";
import { expireLapsed } from "../holds/expire-holds.ts";
import { bookPayment } from "../receipts/book-payment.ts";
import { paidLesson, selectSale, selectSeller } from "../receipts/sale.ts";
import { oweBack } from "./refund-due.ts";

const isOver = sql`${bookings.status} IN ('completed', 'no_show')`;
const isUnpaid = sql`${bookings.paymentStatus} = 'unpaid'`;

/** What payments do to bookings. */
export const bookingEffects: Effects = {
  changes: ["booking", "package", "invoice", "payment"],
  customerOf: ({ refId }) =>
    sql`(SELECT ${bookings.customerId} FROM ${bookings} WHERE ${bookings.id} = ${refId})`,
  paid: payAndBook,
  review: (ctx, { refId }) => [markForReview(ctx, eq(bookings.id, refId))],
  overpaid: (ctx, intent) => [
    markForReview(ctx, sql`${eq(bookings.id, intent.refId)} AND ${hasOtherMoney(intent)}`),
  ],
  // Its hold has run out by itself.
  abandoned: () => [],
};

/** Reads what the document of a payment is made from; a booking that changes meanwhile is read again. */
async function payAndBook(ctx: Ctx, intent: PaidIntent): Promise<PaidEffect> {
  const { refId: id, gateway, gatewayPaymentId, isAdvance } = intent;
  const [[found], [seller], [payable]] = await ctx.database.read([
    selectSale({ id }),
    selectSeller({}),
    ctx.db
      .select({ id: bookings.id })
      .from(bookings)
      .where(sql`${bookings.id} = ${id} AND ${becomesPaid(ctx, id)}`),
  ]);
  if (found === undefined || seller === undefined || payable === undefined)
    return { statements: applyPayment(ctx, id, null), invoiced: 0 };
  const { issueInvoices } = found;
  const way = { gateway, gatewayPaymentId, isAdvance };
  const lesson = paidLesson(ctx, found);
  const booked = bookPayment(ctx, lesson, { seller, issueInvoices, way });
  return { statements: applyPayment(ctx, id, booked), invoiced: lesson.amount };
}

/**
 * The statements of a payment that came, with those of its document. They abort their batch only where the booking is not
 * as it was read: `booked` is null where the money is due back. It confirms the booking, or pays a lesson that was
 * given. Where the slot is taken, the lesson has begun unconfirmed or was cancelled, the money is due back. A second
 * payment is marked for review.
 */
function applyPayment(ctx: ReadCtx, id: string, booked: readonly SQLWrapper[] | null): SQLWrapper[] {
  const here = eq(bookings.id, id);
  const unpaid = sql`${here} AND ${isUnpaid}`;
  return [
    markForReview(ctx, sql`${here} AND ${bookings.paymentStatus} <> 'unpaid'`),
    expireLapsed(ctx, id),
    ctx.db
      .update(bookings)
      .set({
        paidAt: ctx.now,
        checkedAt: ctx.now,
        updatedAt: ctx.now,
        status: sql<BookingStatus>`iif(${isOver}, ${bookings.status}, 'confirmed')`,
        paymentStatus: "paid",
        holdExpiresAt: null,
      })
      .where(sql`${here} AND ${becomesPaid(ctx, id)}`),
    ...(booked === null
      ? [refuseWhen(sql`changes() > 0`, "intent_moved")]
      : [refuseIfNone("intent_moved"), ...booked]),
    oweBack(ctx, unpaid),
  ];
}

/** Whether a payment pays a booking, in place of being due back. */
function becomesPaid(ctx: ReadCtx, id: string): SQL {
  return sql`(${isUnpaid} AND (${isOver} OR ${bookings.status} = 'confirmed'
    OR (${bookings.status} IN ('pending', 'expired') AND ${bookings.startAt} > ${ctx.now}
      AND NOT EXISTS (${rivalsOf(ctx, id)}))))`;
}

/**
 * The bookings that keep one from being confirmed, by the rules of the triggers: those of its instructor (a booking that
 * still holds its slot needs no buffer) and, where the hold has run out, the learner's with other instructors.
 */
function rivalsOf(ctx: ReadCtx, id: string): SQL {
  const { instructorId, customerId, customerConfirmed, visitor, startAt, endAt } = bookings;
  const buffer = sql`(SELECT iif(${takesTime(ctx.now)}, 0, (SELECT ${bookingSettings.bufferMinutes} FROM ${bookingSettings}) * ${MINUTE_MS})
    AS buffer, ${takesTime(ctx.now)} AS held, ${customerId} AS learner, ${customerConfirmed} AS sure,
    ${visitor} AS visitor, ${instructorId} AS instructor, ${startAt} AS since, ${endAt} AS until FROM ${bookings} WHERE ${bookings.id} = ${id})`;
  return sql`SELECT 1 FROM ${buffer} own CROSS JOIN ${bookings} ON ${instructorId} = own.instructor AND ${bookings.id} <> ${id}
    AND ${startAt} < own.until + own.buffer AND ${startAt} > own.since - own.buffer - ${DAY_MS}
    AND ${endAt} + own.buffer > own.since AND ${takesTime(ctx.now)}
    UNION ALL SELECT 1 FROM ${buffer} own CROSS JOIN ${bookings} ON own.held = 0 AND ${customerId} = own.learner
    AND ${instructorId} <> own.instructor AND ${startAt} < own.until AND ${startAt} > own.since - ${DAY_MS}
    AND ${endAt} > own.since AND ${takesTime(ctx.now)}
    AND ((own.sure = 1 AND ${customerConfirmed} = 1) OR ${visitor} = own.visitor)`;
}

function markForReview(ctx: ReadCtx, which: SQL): SQLWrapper {
  const { needsReview, moneyReview } = bookings;
  return ctx.db
    .update(bookings)
    .set({ needsReview: 1, moneyReview: sql<number>`${needsReview} = 0`, updatedAt: ctx.now })
    .where(sql`${which} AND ${moneyReview} = 0`);
}
