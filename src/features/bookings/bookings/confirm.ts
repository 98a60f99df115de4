import { eq, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { bookings } from "#tables/bookings";
import type { BookingParams } from "./schema.ts";
import { type BookedRow, selectBookings } from "./snapshot.ts";

/** Confirms a free lesson by what the mail to its visitor showed, while the lesson is held. */
export function confirmBooking(ctx: WriteCtx, { id }: BookingParams, proof: string): Promise<BookedRow> {
  const here = eq(bookings.id, id);
  return atomic(
    ctx,
    [
      ctx.db
        .update(bookings)
        .set({ status: "confirmed", holdExpiresAt: null, checkedAt: ctx.now, updatedAt: ctx.now })
        .where(sql`${here} AND ${bookings.emailProof} = ${proof} AND ${bookings.status} = 'pending'
          AND ${bookings.holdExpiresAt} > ${ctx.now} AND ${bookings.startAt} > ${ctx.now}`),
      refuseIfNone("invalid_status"),
    ],
    selectBookings({ now: ctx.now, where: here }),
  );
}
