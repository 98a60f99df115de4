import { and, eq, lte, or, sql } from "drizzle-orm";
import type { BackgroundCtx, ReadCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import { failure } from "#providers/delivery";
import { messageRecipients, messages } from "../messages/tables.ts";
import { EXPIRED, failedColumns, MOST_AGE_MS, secondsUntil, UNKNOWN } from "./end-attempt.ts";
import { dispatchTasks } from "./jobs.ts";
import { isUnsent } from "./unsent.ts";

// As often as the queue delivers a job: once, and its 8 retries.
const MOST_ATTEMPTS = 9;
const EXHAUSTED = failure("dispatch_exhausted", "The message could not be handed to its provider");

/**
 * Ends a recipient whose job was tried too often. One whose provider was asked less often, or never, is put back: what
 * failed was the database. Gives the seconds after which to look again where somebody still holds it.
 */
export async function buryRecipient(
  ctx: ReadCtx & BackgroundCtx,
  recipient: number,
): Promise<number | undefined> {
  const { id, dispatchState, inDoubt, attempts, claimUntil, messageId } = messageRecipients;
  const doubtful = sql`(${inDoubt} OR ${dispatchState} = 'dispatching')`;
  const exhausted = sql`${attempts} >= ${MOST_ATTEMPTS}`;
  const old = sql`(SELECT ${messages.createdAt} FROM ${messages} WHERE ${messages.id} = ${messageId}) < ${ctx.now - MOST_AGE_MS}`;
  const reason = sql<string>`iif(${doubtful}, ${JSON.stringify(UNKNOWN)},
    iif(${exhausted}, ${JSON.stringify(EXHAUSTED)}, ${JSON.stringify(EXPIRED)}))`;
  const open = and(eq(id, recipient), isUnsent);
  const results = await unattended(ctx, [
    ctx.db
      .update(messageRecipients)
      .set(failedColumns(ctx, reason))
      .where(and(open, lte(claimUntil, ctx.now), or(doubtful, exhausted, old))),
    ctx.db.select({ claimUntil }).from(messageRecipients).where(open),
  ]);
  const heldUntil = results[1]?.rows[0]?.claim_until;
  if (heldUntil === undefined) return undefined;
  if (Number(heldUntil) > ctx.now) return secondsUntil(ctx, Number(heldUntil));
  await ctx.enqueue(dispatchTasks([{ id: recipient }]));
  return undefined;
}
