import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bookings } from "#tables/bookings";
import { gatewayRefunds } from "#tables/refunds";
import { salesOrders } from "#tables/storefront";
import { notifications } from "../tables.ts";

const again = alias(gatewayRefunds, "again");
const { id, source, creditNoteId, advanceAmount, coveredAmount } = gatewayRefunds;

/** The hourly notices that leave out what staff need not look at any more. */
export const checked = sql.raw("'refund_failed', 'order_review', 'booking_review'");

/**
 * Whether a record that an hourly notice counts is still to be looked at. A retry that fails is counted by itself. A refund
 * that no call sent is owed only where its money waits again: not of an invoice or a receipt that stands.
 */
export function stillSo(recordId: SQLWrapper): SQL {
  const ownId = sql`CAST(${recordId} AS INTEGER)`;
  return sql`CASE ${notifications.rule}
    WHEN 'refund_failed' THEN EXISTS (SELECT 1 FROM ${gatewayRefunds} WHERE ${id} = ${ownId}
      AND (${source} = 'api' OR (${source} = 'gateway'
        AND (${creditNoteId} IS NOT NULL OR ${advanceAmount} + ${coveredAmount} > 0)))
      AND NOT EXISTS (SELECT 1 FROM ${gatewayRefunds} AS ${again} WHERE ${again.retryOf} = ${id}))
    WHEN 'order_review' THEN EXISTS (SELECT 1 FROM ${salesOrders} WHERE ${salesOrders.id} = ${ownId}
      AND (${salesOrders.reviewCode} IS NOT NULL OR ${salesOrders.paymentStatus} = 'review' OR ${salesOrders.needsRefund} = 1))
    WHEN 'booking_review' THEN EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.id} = ${recordId} AND ${bookings.needsReview} = 1)
    ELSE 1 END`;
}
