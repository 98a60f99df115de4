import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isStillOwed } from "#features/refunds";
import { bookings } from "#tables/bookings";
import { notifications } from "#tables/notifications";
import { salesOrders } from "#tables/storefront";

/** The hourly notices that leave out what staff need not look at any more. */
export const checked = sql.raw("'refund_failed', 'order_review', 'booking_review'");

/** Whether a record that an hourly notice counts is still to be looked at. A retry that fails is counted by itself. */
export function stillSo(recordId: SQLWrapper): SQL {
  const ownId = sql`CAST(${recordId} AS INTEGER)`;
  return sql`CASE ${notifications.rule}
    WHEN 'refund_failed' THEN ${isStillOwed(ownId)}
    WHEN 'order_review' THEN EXISTS (SELECT 1 FROM ${salesOrders} WHERE ${salesOrders.id} = ${ownId}
      AND (${salesOrders.reviewCode} IS NOT NULL OR ${salesOrders.paymentStatus} = 'review' OR ${salesOrders.needsRefund} = 1))
    WHEN 'booking_review' THEN EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.id} = ${recordId} AND ${bookings.needsReview} = 1)
    ELSE 1 END`;
}
