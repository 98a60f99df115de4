import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { bookings } from "#tables/bookings";
import type { PaymentStatus } from "../bookings/statuses.ts";

const PAID_AFTER_START = "paid_after_start";

/** Whether money was paid for a booking. */
export const hasMoney = sql`${bookings.paymentStatus} = 'paid' AND ${bookings.totalAmount} > 0`;

/** The payment status of a booking that is cancelled: what was paid is due back. */
export const onceCancelled = sql<PaymentStatus>`iif(${hasMoney}, 'refund_due', ${bookings.paymentStatus})`;

/** Cancels the unpaid bookings whose payment came and that cannot take place any more: the money is due back. */
export function oweBack(ctx: ReadCtx, unpaid: SQL): SQLWrapper {
  const startedUnpaid = sql`${bookings.status} <> 'cancelled' AND ${bookings.startAt} <= ${ctx.now}`;
  return ctx.db
    .update(bookings)
    .set({
      paidAt: ctx.now,
      checkedAt: ctx.now,
      updatedAt: ctx.now,
      status: "cancelled",
      paymentStatus: "refund_due",
      cancelledAt: ctx.now,
      cancelReason: sql<string | null>`iif(${startedUnpaid}, ${PAID_AFTER_START}, ${bookings.cancelReason})`,
    })
    .where(sql`${unpaid} AND ${bookings.status} IN ('pending', 'expired', 'cancelled')`);
}
