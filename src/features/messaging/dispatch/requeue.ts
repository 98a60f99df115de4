import { and, eq, lte, type SQLWrapper, sql } from "drizzle-orm";
import type { BackgroundCtx, ReadCtx, SystemWriteCtx } from "#core/context.ts";
import { type Due, lookAt } from "#core/due.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { messageRecipients, messages, messagingProviders } from "#tables/messaging";
import { dispatchTask } from "./jobs.ts";
import { isUnsent } from "./unsent.ts";

/** How long a recipient may be overdue before its job counts as lost. */
const STUCK_MS = MINUTE_MS;
const AT_ONCE = 1_000;

const { id, messageId, lease, leasedUntil, requeues, requeuedAt } = messageRecipients;

// Exactly as in the index: once its lease has expired, or a minute after one without a lease may be leased; and a
// minute x 2^requeues after the last time.
const DUE_AT = sql<number>`max(${leasedUntil} + iif(${lease} IS NULL, 60000, 0), coalesce(${requeuedAt} + (60000 << min(${requeues}, 6)), 0))`;

/** Recipients that no job took up, such as after a lost job: each is queued again, and then waits twice as long. */
export const recipientsDue: Due = {
  look: (ctx) =>
    lookAt(ctx, {
      table: messageRecipients,
      index: "message_recipients_due",
      where: isUnsent,
      instant: DUE_AT,
    }),
  act: requeueOverdue,
};

/** Queues a job for each account with recipients that are overdue. Gives when to look again, in the company's time, or null. */
export async function requeueOverdue(ctx: SystemWriteCtx & BackgroundCtx): Promise<number | null> {
  const overdue = and(isUnsent, lte(DUE_AT, ctx.now));
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ id, message: messageId, carrier: messages.providerId })
      .from(messageRecipients)
      .innerJoin(messages, eq(messages.id, messageId))
      .where(overdue)
      .orderBy(DUE_AT)
      .limit(AT_ONCE),
  ]);
  if (rows.length === 0) return null;
  const ids = JSON.stringify(rows.map((row) => row.id));
  // Before they are queued: a run that dies in between costs a wait, and never a queue that fills up.
  await systemWrite(ctx, [
    ctx.db
      .update(messageRecipients)
      .set({ requeues: sql`${requeues} + 1`, requeuedAt: ctx.now })
      .where(and(sql`${id} IN (SELECT value FROM json_each(${ids}))`, overdue)),
  ]);
  const byCarrier = new Map(rows.map(({ carrier, message }) => [carrier, message]));
  await ctx.enqueue([...byCarrier.values()].map(dispatchTask));
  return rows.length === AT_ONCE ? ctx.now : ctx.now + 2 * STUCK_MS;
}

/** The statement that releases the recipients that wait for a paused provider; it runs before the one that ends the pause. */
export function releaseHeld(ctx: ReadCtx, provider: number): SQLWrapper {
  const carrier = sql`(SELECT ${messages.providerId} FROM ${messages} WHERE ${messages.id} = ${messageId})`;
  const sendAt = sql`(SELECT coalesce(${messages.sendAt}, 0) FROM ${messages} WHERE ${messages.id} = ${messageId})`;
  const isPaused = sql`EXISTS (SELECT 1 FROM ${messagingProviders}
    WHERE ${messagingProviders.id} = ${provider} AND ${messagingProviders.pausedAt} IS NOT NULL)`;
  return ctx.db
    .update(messageRecipients)
    .set({
      leasedUntil: sql`max(min(${leasedUntil}, ${ctx.now - STUCK_MS}), ${sendAt})`,
      requeues: 0,
      requeuedAt: null,
      error: null,
    })
    .where(and(eq(messageRecipients.dispatchState, "pending"), eq(carrier, provider), isPaused));
}
