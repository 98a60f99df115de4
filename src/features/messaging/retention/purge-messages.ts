import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { DAY_MS } from "#shared/durations.ts";
import { ulidTime } from "#shared/ulid.ts";
import { messageRecipients, messages, unmatchedEvents } from "../messages/tables.ts";
import { messagingSettings } from "./tables.ts";

const PURGED_AT_ONCE = 200;

/** Forgets contents and messages when the company no longer keeps them, and events that found no message after 7 days. */
export async function purgeMessages(ctx: Ctx): Promise<void> {
  const [[kept]] = await ctx.database.read([ctx.db.select().from(messagingSettings)]);
  if (kept === undefined) return;
  const before = (days: number) => `msg_${ulidTime(Math.max(0, ctx.now - days * DAY_MS))}`;
  const [contents, whole] = [before(kept.contentDays), before(kept.messageDays)];
  for (let gone = PURGED_AT_ONCE; gone >= PURGED_AT_ONCE; ) {
    const results = await ctx.database.write([
      sql`UPDATE ${messages} SET content = NULL WHERE id IN (
        SELECT id FROM ${messages} WHERE content IS NOT NULL AND id < ${contents} LIMIT ${PURGED_AT_ONCE})`,
      sql`DELETE FROM ${messageRecipients} WHERE message_id IN (
        SELECT id FROM ${messages} WHERE id < ${whole} ORDER BY id LIMIT ${PURGED_AT_ONCE})`,
      sql`DELETE FROM ${messages} WHERE id IN (
        SELECT id FROM ${messages} WHERE id < ${whole} ORDER BY id LIMIT ${PURGED_AT_ONCE})`,
      sql`DELETE FROM ${unmatchedEvents} WHERE expires_at <= ${ctx.now}`,
    ]);
    gone = Math.max(results[0]?.rowsAffected ?? 0, results[2]?.rowsAffected ?? 0);
  }
}
