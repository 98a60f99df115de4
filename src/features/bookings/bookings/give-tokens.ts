import { isNull, sql } from "drizzle-orm";
import type { UnattendedCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import { bookings } from "./tables.ts";

const AT_ONCE = 50_000;
// As the migration makes them: 43 characters of a token's alphabet.
const token = sql<string>`substr(lower(hex(randomblob(22))), 1, 43)`;

/** Gives bookings from before there were tokens theirs, so many a run that no writer waits long. */
export async function giveTokens(ctx: UnattendedCtx): Promise<void> {
  const without = isNull(bookings.publicToken);
  const [found] = await ctx.database.read([
    ctx.db.select({ id: bookings.id }).from(bookings).where(without).limit(1),
  ]);
  if (found.length === 0) return;
  const { status, paidAt, createdAt } = bookings;
  const confirmedAt = sql<number>`iif(${status} IN ('pending', 'expired'), NULL, coalesce(${paidAt}, ${createdAt}))`;
  await unattended(ctx, [
    ctx.db
      .update(bookings)
      .set({ publicToken: token, confirmedAt })
      .where(
        sql`${bookings.id} IN (SELECT ${bookings.id} FROM ${bookings} WHERE ${without} LIMIT ${AT_ONCE})`,
      ),
  ]);
}
