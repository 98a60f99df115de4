import { sql } from "drizzle-orm";
import type { SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { notifications } from "#tables/notifications";

// Longer than any rule may look back: an invoice that is overdue for 90 days.
const KEPT_DAYS = 100;
const AT_ONCE = 500;

/** Forgets what became of old notifications, in small batches, so that no writer waits long. */
export async function forgetNotifications(ctx: SystemWriteCtx): Promise<void> {
  const { id, endedAt } = notifications;
  const old = sql`SELECT ${id} FROM ${notifications} WHERE ${endedAt} < ${ctx.now - KEPT_DAYS * DAY_MS}
    ORDER BY ${endedAt} LIMIT ${AT_ONCE}`;
  for (let gone = AT_ONCE; gone === AT_ONCE; ) {
    const [result] = await systemWrite(ctx, [sql`DELETE FROM ${notifications} WHERE ${id} IN (${old})`]);
    gone = result?.rowsAffected ?? 0;
  }
}
