import { type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx, SystemWriteCtx } from "#core/context.ts";
import { type Due, lookAt } from "#core/due.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { bookings } from "#tables/bookings";

const AT_ONCE = 500;

const { id, status, holdExpiresAt } = bookings;
const isHeld = sql`${status} = 'pending' AND ${holdExpiresAt} IS NOT NULL`;

/** Holds that ran out: they are marked as expired; their slots were free from their minute on. */
export const holdsDue: Due = {
  look: (ctx) =>
    lookAt(ctx, { table: bookings, index: "bookings_holds", where: isHeld, instant: sql`${holdExpiresAt}` }),
  act: expireBookings,
};

/** The statement that marks one hold that ran out, where what follows in its batch takes it up again. */
export function expireLapsed(ctx: ReadCtx, booking: string): SQLWrapper {
  return ctx.db
    .update(bookings)
    .set({ status: "expired", checkedAt: ctx.now, updatedAt: ctx.now })
    .where(sql`${id} = ${booking} AND ${isHeld} AND ${holdExpiresAt} <= ${ctx.now}`);
}

/** In small batches, so that no writer waits long. */
async function expireBookings(ctx: SystemWriteCtx): Promise<null> {
  const due = sql`SELECT ${id} FROM ${bookings} WHERE ${isHeld} AND ${holdExpiresAt} <= ${ctx.now}
    ORDER BY ${holdExpiresAt} LIMIT ${AT_ONCE}`;
  for (;;) {
    const [result] = await systemWrite(ctx, [
      ctx.db.update(bookings).set({ status: "expired", updatedAt: ctx.now }).where(sql`${id} IN (${due})`),
    ]);
    if ((result?.rowsAffected ?? 0) < AT_ONCE) return null;
  }
}
