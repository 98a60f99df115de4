import { lte, sql } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { messageIdAt } from "../messages/message-id.ts";
import { messageRecipients, messages, unmatchedReceipts } from "../messages/tables.ts";
import { messagingSettings } from "./tables.ts";

const PURGED_AT_ONCE = 200;

/** Forgets contents and messages when the company no longer keeps them, and receipts that found no message after 7 days. */
export async function purgeMessages(ctx: ReadCtx): Promise<void> {
  const [[kept]] = await ctx.database.read([ctx.db.select().from(messagingSettings)]);
  if (kept === undefined) return;
  const before = (days: number) => messageIdAt(ctx.now - days * DAY_MS);
  const [contents, whole] = [before(kept.contentDays), before(kept.messageDays)];
  const { id } = messages;
  const old = sql`SELECT ${id} FROM ${messages} WHERE ${id} < ${whole} ORDER BY ${id} LIMIT ${PURGED_AT_ONCE}`;
  for (let gone = PURGED_AT_ONCE; gone >= PURGED_AT_ONCE; ) {
    const results = await unattended(ctx, [
      ctx.db
        .update(messages)
        .set({ content: null })
        .where(sql`${id} IN (
        SELECT ${id} FROM ${messages} WHERE ${messages.content} IS NOT NULL AND ${id} < ${contents} LIMIT ${PURGED_AT_ONCE})`),
      ctx.db.delete(messageRecipients).where(sql`${messageRecipients.messageId} IN (${old})`),
      ctx.db.delete(messages).where(sql`${id} IN (${old})`),
      ctx.db.delete(unmatchedReceipts).where(lte(unmatchedReceipts.expiresAt, ctx.now)),
    ]);
    gone = Math.max(results[0]?.rowsAffected ?? 0, results[2]?.rowsAffected ?? 0);
  }
}
