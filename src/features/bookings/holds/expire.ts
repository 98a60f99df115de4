import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { bookings } from "../reservations/tables.ts";

const AT_ONCE = 500;

/** Marks the holds that ran out as expired, in small batches; their slots were free from then on. */
export async function expireBookings(ctx: Ctx): Promise<void> {
  const due = sql`SELECT id FROM ${bookings} WHERE status = 'pending' AND hold_expires_at IS NOT NULL
    AND hold_expires_at <= ${ctx.now} ORDER BY hold_expires_at LIMIT ${AT_ONCE}`;
  for (;;) {
    const [result] = await ctx.database.write([
      sql`UPDATE ${bookings} SET status = 'expired', updated_at = ${ctx.now} WHERE id IN (${due})`,
    ]);
    if ((result?.rowsAffected ?? 0) < AT_ONCE) return;
  }
}
