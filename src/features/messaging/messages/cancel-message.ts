import { and, eq, sql } from "drizzle-orm";
import type { CoordinationCtx, WriteCtx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { failure } from "#providers/delivery";
import { messages, messageRecipients as recipients } from "#tables/messaging";
import { selectCancelled } from "../send/spent-quota.ts";
import { type MessageRow, selectMessages } from "./record.ts";
import type { MessageParams } from "./schema.ts";

const CANCELLED = failure("cancelled", "The message was cancelled before it was sent");

/**
 * Cancels a message that was sent to no recipient yet, such as a scheduled one; 409 `invalid_status` once a job has
 * taken a recipient. The daily cap of its key gets that many messages back.
 */
export async function cancelMessage(
  ctx: WriteCtx & CoordinationCtx,
  { id }: MessageParams,
): Promise<MessageRow> {
  const ofIt = eq(recipients.messageId, id);
  const waits = sql`(${recipients.dispatchState} = 'pending' AND ${recipients.lease} IS NULL AND ${recipients.inDoubt} = 0)`;
  const taken = sql`EXISTS (SELECT 1 FROM ${recipients}
    WHERE ${ofIt} AND ${recipients.dispatchState} <> 'dead' AND NOT ${waits})`;
  const row = await atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${messages} WHERE ${messages.id} = ${id})`, "not_found"),
      refuseWhen(taken, "invalid_status"),
      ctx.db
        .update(recipients)
        .set({
          dispatchState: "dead",
          status: "failed",
          failedAt: ctx.now,
          error: JSON.stringify(CANCELLED),
        })
        .where(and(ofIt, waits)),
      refuseIfNone("invalid_status"),
      ctx.db.update(messages).set({ isScheduled: 0 }).where(eq(messages.id, id)),
    ],
    selectMessages(sql`${messages} WHERE ${messages.id} = ${id}`),
  );
  const [cells] = await ctx.database.read([jsonQuery(ctx, selectCancelled(id))]);
  const [sent] = parseRows(cells);
  if (sent !== undefined) await ctx.returnQuota(sent.actor, sent.cost, sent.at);
  return row;
}
