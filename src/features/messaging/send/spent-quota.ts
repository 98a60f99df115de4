import { and, eq, gte, inArray, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { auditLog } from "#platform/write/tables.ts";
import { messageIdAt } from "../messages/message-id.ts";
import { messageRecipients, messages } from "../messages/tables.ts";

// An invoice that is sent counts against no limit.
const COUNTED = ["sendSms", "sendChatapp", "sendEmail", "resendMessage", "testNotificationTemplate"];

// What was cancelled is given back.
const isSpent = sql`json_extract(${messageRecipients.error}, '$.code') IS NOT 'cancelled'`;

/** The SELECT of who sent a message that counts in a quota, when, and to how many it was cancelled. */
export function selectCancelled(id: string): SQL<{ actor: string; at: number; cost: number }> {
  const cancelled = sql`SELECT count(*) FROM ${messageRecipients}
    WHERE ${messageRecipients.messageId} = ${messages.id} AND NOT ${isSpent}`;
  return sql`SELECT json_object('actor', ${auditLog.actor}, 'at', ${messages.createdAt}, 'cost', (${cancelled})) AS snapshot
    FROM ${messages} JOIN ${auditLog} ON ${auditLog.record} = ${messages.id} AND ${inArray(auditLog.action, COUNTED)}
    WHERE ${messages.id} = ${id}`;
}

/** How many recipients the calling key's sends have had since an instant (epoch ms). */
export async function spentSince(ctx: CallCtx & Pick<WriteCtx, "actor">, since: number): Promise<number> {
  const byThisKey = sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.record} = ${messages.id}
    AND ${auditLog.actor} = ${ctx.actor.id} AND ${inArray(auditLog.action, COUNTED)})`;
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ spent: sql<number>`count(*)` })
      .from(messages)
      .innerJoin(messageRecipients, eq(messageRecipients.messageId, messages.id))
      .where(and(gte(messages.id, messageIdAt(since)), byThisKey, isSpent)),
  ]);
  return rows[0]?.spent ?? 0;
}
