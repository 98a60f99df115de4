import { and, lte, sql } from "drizzle-orm";
import type { BackgroundCtx, SystemWriteCtx } from "#core/context.ts";
import { type Due, lookAt } from "#core/due.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { messages } from "#tables/messaging";
import { dispatchTask } from "./jobs.ts";

const AT_ONCE = 1_000;

// In the words of the index that holds only such rows.
const isScheduled = sql`${messages.isScheduled} = 1`;

/** Messages whose time has come. */
export const scheduledDue: Due = {
  look: (ctx) =>
    lookAt(ctx, {
      table: messages,
      index: "messages_scheduled",
      where: isScheduled,
      instant: sql`${messages.sendAt}`,
    }),
  act: queueScheduled,
};

/** Queues a job for each account with messages whose time has come. Gives when to look again, or null. */
async function queueScheduled(ctx: SystemWriteCtx & BackgroundCtx): Promise<number | null> {
  const isDue = and(isScheduled, lte(messages.sendAt, ctx.now));
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ id: messages.id, carrier: messages.providerId })
      .from(messages)
      .where(isDue)
      .orderBy(messages.sendAt)
      .limit(AT_ONCE),
  ]);
  if (rows.length === 0) return null;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  // Should this run die before the queue has them, they are overdue recipients a minute later.
  await systemWrite(ctx, [
    ctx.db
      .update(messages)
      .set({ isScheduled: 0 })
      .where(and(sql`${messages.id} IN (SELECT value FROM json_each(${ids}))`, isDue)),
  ]);
  const byCarrier = new Map(rows.map(({ carrier, id }) => [carrier, id]));
  await ctx.enqueue([...byCarrier.values()].map(dispatchTask));
  return rows.length === AT_ONCE ? ctx.now : null;
}
