import { isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { ulidTime } from "#shared/ulid.ts";
import { numberOf } from "../accept.ts";
import {
  contactOptouts,
  messageRecipients,
  messages,
  messagingProviders,
  messagingSettings,
  unmatchedEvents,
} from "../tables.ts";

const STUCK_MS = 60_000;
const AT_ONCE = 1_000;
const PURGED_AT_ONCE = 200;
const DAY_MS = 86_400_000;

/** Queues again what has been due for a minute: the queue did not take it, or lost it. */
export async function requeueStuck(ctx: Ctx): Promise<void> {
  const [rows] = await ctx.database.read([
    ctx.db.all<{ id: number }>(sql`SELECT id FROM ${messageRecipients}
      WHERE dispatch_state IN ('pending', 'dispatching') AND claim_until <= ${ctx.now - STUCK_MS}
      ORDER BY claim_until LIMIT ${AT_ONCE}`),
  ]);
  await ctx.enqueue(rows.map(({ id }) => ({ kind: "dispatch", recipient: id })));
  if (rows.length === AT_ONCE) await ctx.sweepSoon();
}

/** The statement that lets go what waits for a paused provider; it goes before the one that ends the pause. */
export function releaseHeld(ctx: Ctx, provider: number): SQL {
  return sql`UPDATE ${messageRecipients} SET claim_until = min(claim_until, ${ctx.now - STUCK_MS})
    WHERE dispatch_state = 'pending'
      AND (SELECT provider_id FROM ${messages} WHERE ${messages.id} = message_id) = ${provider}
      AND EXISTS (SELECT 1 FROM ${messagingProviders} WHERE id = ${provider} AND paused_at IS NOT NULL)`;
}

/** Tells the whole numbers of opt-outs from before they were kept; of two that are one number's, the older stays. */
export async function completeOptouts(ctx: Ctx): Promise<void> {
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ id: contactOptouts.id, channel: contactOptouts.channel, address: contactOptouts.address })
      .from(contactOptouts)
      .where(isNull(contactOptouts.e164))
      .limit(AT_ONCE),
  ]);
  if (rows.length === 0) return;
  await ctx.database.write(
    rows.map(({ id, channel, address }) => {
      const number = numberOf(ctx.company.country, channel, address) ?? "";
      return sql`UPDATE OR REPLACE ${contactOptouts} SET e164 = ${number} WHERE id = ${id} AND e164 IS NULL`;
    }),
  );
  if (rows.length === AT_ONCE) await ctx.sweepSoon();
}

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
