import { lte, type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { auditEach } from "#core/write/audit-log.ts";
import type { Erasure } from "#core/write/erasures.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { auditLog } from "#tables/core";
import {
  type inboundMessages,
  messageRecipients,
  messages,
  messagingSettings,
  unmatchedReceipts,
} from "#tables/messaging";
import { isUnsent } from "../dispatch/unsent.ts";
import { messageIdAt } from "../timed-ids.ts";

const PURGED_AT_ONCE = 200;

/** Whether a message is not one that was scheduled and still is to be sent: its content is needed until then. */
const isOver = sql`(${messages.sendAt} IS NULL OR NOT EXISTS (SELECT 1 FROM ${messageRecipients}
  WHERE ${messageRecipients.messageId} = ${messages.id} AND ${isUnsent}))`;

/**
 * Erases contents and messages when the company no longer keeps them, and receipts that match no message after 7 days.
 * The audit log records up to which id.
 */
export async function purgeMessages(ctx: WriteCtx): Promise<void> {
  const [[kept]] = await ctx.database.read([ctx.db.select().from(messagingSettings)]);
  if (kept === undefined) return;
  const before = (days: number) => messageIdAt(ctx.now - days * DAY_MS);
  const [contents, whole] = [before(kept.contentDays), before(kept.messageDays)];
  const { id } = messages;
  const old = sql`SELECT ${id} FROM ${messages} WHERE ${id} < ${whole} AND ${isOver} ORDER BY ${id} LIMIT ${PURGED_AT_ONCE}`;
  for (let gone = PURGED_AT_ONCE; gone >= PURGED_AT_ONCE; ) {
    const [, , ...results] = await systemWrite(ctx, [
      auditEach(ctx, contentErasure.action, unrecorded(contentErasure, contents)),
      auditEach(ctx, messageErasure.action, unrecorded(messageErasure, whole)),
      ctx.db
        .update(messages)
        .set({ content: null })
        .where(sql`${id} IN (
        SELECT ${id} FROM ${messages} WHERE ${messages.content} IS NOT NULL AND ${id} < ${contents} AND ${isOver} LIMIT ${PURGED_AT_ONCE})`),
      ctx.db.delete(messageRecipients).where(sql`${messageRecipients.messageId} IN (${old})`),
      ctx.db.delete(messages).where(sql`${id} IN (${old})`),
      ctx.db.delete(unmatchedReceipts).where(lte(unmatchedReceipts.expiresAt, ctx.now)),
    ]);
    gone = Math.max(results[0]?.rowsAffected ?? 0, results[2]?.rowsAffected ?? 0);
  }
}

/** Erases again the contents that `purgeMessages` erased: those of all messages before an id. */
export const contentErasure: Erasure = {
  action: "eraseContentsBefore",
  ...ofAllBefore(messages, sql`${messages.content} IS NOT NULL AND ${isOver}`, (old) => [
    sql`UPDATE ${messages} SET content = NULL WHERE ${old}`,
  ]),
};

/** Erases again the messages that `purgeMessages` erased: all before an id. */
export const messageErasure: Erasure = {
  action: "eraseMessagesBefore",
  ...ofAllBefore(messages, isOver, (old) => [
    sql`DELETE FROM ${messageRecipients}
      WHERE ${messageRecipients.messageId} IN (SELECT ${messages.id} FROM ${messages} WHERE ${old})`,
    sql`DELETE FROM ${messages} WHERE ${old}`,
  ]),
};

/** How what is `left` of a table's rows before an id is erased again; `erase` has the condition on those rows. */
export function ofAllBefore(
  table: typeof messages | typeof inboundMessages,
  left: SQL,
  erase: (old: SQL) => SQL[],
): Pick<Erasure, "left" | "erase"> {
  return {
    left: (given) => sql`SELECT record FROM ${given}
      WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${left} AND ${table.id} < record)`,
    erase: (records) => erase(sql`${left} AND ${table.id} < (SELECT max(record) FROM (${records}))`),
  };
}

/** The id before which something is erased, where there is something and the log's last such row names another. */
export function unrecorded({ action, left }: Erasure, before: string): SQL {
  const found = left(sql`(SELECT ${before} AS record)`);
  const recorded = sql`SELECT 1 FROM ${auditLog} WHERE ${auditLog.record} = ${before} AND ${auditLog.action} = ${action}`;
  return sql`SELECT record AS id FROM (${found}) WHERE NOT EXISTS (${recorded})`;
}
