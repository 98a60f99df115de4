import { lt, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { auditEach } from "#core/write/audit-log.ts";
import type { Erasure } from "#core/write/erasures.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { chatappWindows, inboundMessages as inbound, messagingSettings } from "#tables/messaging";
import { ofAllBefore, unrecorded } from "../retention/purge-messages.ts";
import { inboundIdAt } from "../timed-ids.ts";

const PURGED_AT_ONCE = 200;

/** Forgets what people wrote when the company no longer keeps it: their words first, then that they wrote. */
export async function purgeInbound(ctx: WriteCtx): Promise<void> {
  const [[kept]] = await ctx.database.read([ctx.db.select().from(messagingSettings)]);
  if (kept === undefined) return;
  const before = (days: number) => inboundIdAt(ctx.now - days * DAY_MS);
  const [texts, whole] = [before(kept.contentDays), before(kept.messageDays)];
  const { id } = inbound;
  for (let gone = PURGED_AT_ONCE; gone >= PURGED_AT_ONCE; ) {
    const [, , ...results] = await systemWrite(ctx, [
      auditEach(ctx, inboundTextErasure.action, unrecorded(inboundTextErasure, texts)),
      auditEach(ctx, inboundErasure.action, unrecorded(inboundErasure, whole)),
      ctx.db
        .update(inbound)
        .set({ text: null })
        .where(sql`${id} IN (
        SELECT ${id} FROM ${inbound} WHERE ${inbound.text} IS NOT NULL AND ${id} < ${texts} LIMIT ${PURGED_AT_ONCE})`),
      ctx.db.delete(inbound).where(sql`${id} IN (
        SELECT ${id} FROM ${inbound} WHERE ${id} < ${whole} ORDER BY ${id} LIMIT ${PURGED_AT_ONCE})`),
      ctx.db
        .delete(chatappWindows)
        .where(lt(chatappWindows.lastInboundAt, ctx.now - kept.messageDays * DAY_MS)),
    ]);
    gone = Math.max(results[0]?.rowsAffected ?? 0, results[1]?.rowsAffected ?? 0);
  }
}

/** Erases again the words that `purgeInbound` erased: those of all that came before an id. */
export const inboundTextErasure: Erasure = {
  action: "eraseInboundTextsBefore",
  ...ofAllBefore(inbound, sql`${inbound.text} IS NOT NULL`, (old) => [
    sql`UPDATE ${inbound} SET text = NULL WHERE ${old}`,
  ]),
};

/** Erases again what `purgeInbound` erased: all that came before an id. */
export const inboundErasure: Erasure = {
  action: "eraseInboundBefore",
  ...ofAllBefore(inbound, sql`true`, (old) => [sql`DELETE FROM ${inbound} WHERE ${old}`]),
};
