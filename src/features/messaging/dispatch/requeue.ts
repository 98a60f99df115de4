import { and, eq, lte, type SQLWrapper, sql } from "drizzle-orm";
import type { BackgroundCtx, ReadCtx } from "#platform/context.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { messageRecipients, messages } from "../messages/tables.ts";
import { messagingProviders } from "../providers/tables.ts";
import { dispatchTasks } from "./jobs.ts";
import { isUnsent } from "./unsent.ts";

/** How long a recipient may be overdue before its job counts as lost. */
const STUCK_MS = MINUTE_MS;
const AT_ONCE = 1_000;

const { id, messageId, ordinal, claimUntil } = messageRecipients;

/** Queues again what of a message still waits: the call that accepted it may have died before it queued it. */
export async function requeueMessage(ctx: ReadCtx & BackgroundCtx, message: string): Promise<void> {
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ id })
      .from(messageRecipients)
      .where(and(eq(messageId, message), isUnsent, lte(claimUntil, ctx.now)))
      .orderBy(ordinal),
  ]);
  await ctx.enqueue(dispatchTasks(rows));
}

/** Queues recipients again that are a minute overdue: the queue refused or lost their jobs. */
export async function requeueStuck(ctx: ReadCtx & BackgroundCtx): Promise<void> {
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ id })
      .from(messageRecipients)
      .where(and(isUnsent, lte(claimUntil, ctx.now - STUCK_MS)))
      .orderBy(claimUntil)
      .limit(AT_ONCE),
  ]);
  await ctx.enqueue(dispatchTasks(rows));
  if (rows.length === AT_ONCE) await ctx.housekeepSoon();
}

/** The statement that releases the recipients that wait for a paused provider; it runs before the one that ends the pause. */
export function releaseHeld(ctx: ReadCtx, provider: number): SQLWrapper {
  const carrier = sql`(SELECT ${messages.providerId} FROM ${messages} WHERE ${messages.id} = ${messageId})`;
  const isPaused = sql`EXISTS (SELECT 1 FROM ${messagingProviders}
    WHERE ${messagingProviders.id} = ${provider} AND ${messagingProviders.pausedAt} IS NOT NULL)`;
  return ctx.db
    .update(messageRecipients)
    .set({ claimUntil: sql`min(${claimUntil}, ${ctx.now - STUCK_MS})` })
    .where(and(eq(messageRecipients.dispatchState, "pending"), eq(carrier, provider), isPaused));
}
