import { sql } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import { bookings } from "../bookings/tables.ts";

const AT_ONCE = 500;

/** Marks the holds that ran out as expired, in small batches; their slots were free from then on. */
export async function expireBookings(ctx: ReadCtx): Promise<void> {
  const { id, status, holdExpiresAt } = bookings;
  const due = sql`SELECT ${id} FROM ${bookings} WHERE ${status} = 'pending' AND ${holdExpiresAt} IS NOT NULL
    AND ${holdExpiresAt} <= ${ctx.now} ORDER BY ${holdExpiresAt} LIMIT ${AT_ONCE}`;
  for (;;) {
    const [result] = await ctx.database.write([
      ctx.db.update(bookings).set({ status: "expired", updatedAt: ctx.now }).where(sql`${id} IN (${due})`),
    ]);
    if ((result?.rowsAffected ?? 0) < AT_ONCE) return;
  }
}
