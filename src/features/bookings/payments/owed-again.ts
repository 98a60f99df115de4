import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { bookings } from "#tables/bookings";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";

/**
 * The statements after those that reopen a capture. The booking that was paid with it, and whose money was marked as given
 * back, is owed it again; where it came besides, staff are to look at it again.
 */
export function bookingOwedAgain({ now }: ReadCtx, captureId: number): SQL[] {
  const { id, paymentStatus } = bookings;
  const itsBooking = sql`SELECT ${paymentIntents.refId} FROM ${gatewayCaptures}
    JOIN ${paymentIntents} ON ${paymentIntents.id} = ${gatewayCaptures.intentId}
    WHERE ${gatewayCaptures.id} = ${captureId} AND ${paymentIntents.kind} = 'booking'`;
  return [
    sql`UPDATE ${bookings} SET payment_status = 'refund_due', updated_at = ${now}
      WHERE ${paymentStatus} = 'refunded' AND ${id} = (${itsBooking} AND ${gatewayCaptures.outcome} = 'paid')`,
    sql`UPDATE ${bookings} SET money_review = needs_review = 0, needs_review = 1, updated_at = ${now}
      WHERE money_review = 0 AND ${paymentStatus} IN ('unpaid', 'paid') AND ${id} = (${itsBooking})`,
  ];
}
