import { and, eq, lte } from "drizzle-orm";
import type { BackgroundCtx, ReadCtx } from "#platform/context.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { messageRecipients } from "../messages/tables.ts";
import { dispatchTasks } from "./jobs.ts";
import { isUnsent } from "./unsent.ts";

/** How long a recipient may be overdue before its job counts as lost. */
export const STUCK_MS = MINUTE_MS;
const AT_ONCE = 1_000;

const { id, messageId, ordinal, claimUntil } = messageRecipients;

/** Queues again what of a message still waits: the call that accepted it may have died before it did. */
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
  if (rows.length === AT_ONCE) await ctx.sweepSoon();
}
