import { sql } from "drizzle-orm";
import type { BackgroundCtx, ReadCtx } from "#platform/context.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { messageRecipients } from "./tables.ts";

/** How long a recipient may be overdue before its job counts as lost. */
export const STUCK_MS = MINUTE_MS;
const AT_ONCE = 1_000;

/** Queues again what of a message still waits: the call that accepted it may have died before it did. */
export async function requeueMessage(ctx: ReadCtx & BackgroundCtx, message: string): Promise<void> {
  const [rows] = await ctx.database.read([
    ctx.db.all<{ id: number }>(sql`SELECT id FROM ${messageRecipients} WHERE message_id = ${message}
      AND dispatch_state IN ('pending', 'dispatching') AND claim_until <= ${ctx.now} ORDER BY ordinal`),
  ]);
  await ctx.enqueue(rows.map(({ id }) => ({ kind: "dispatch", recipient: id })));
}

/** Queues recipients again that are a minute overdue: the queue refused or lost their jobs. */
export async function requeueStuck(ctx: ReadCtx & BackgroundCtx): Promise<void> {
  const [rows] = await ctx.database.read([
    ctx.db.all<{ id: number }>(sql`SELECT id FROM ${messageRecipients}
      WHERE dispatch_state IN ('pending', 'dispatching') AND claim_until <= ${ctx.now - STUCK_MS}
      ORDER BY claim_until LIMIT ${AT_ONCE}`),
  ]);
  await ctx.enqueue(rows.map(({ id }) => ({ kind: "dispatch", recipient: id })));
  if (rows.length === AT_ONCE) await ctx.sweepSoon();
}
