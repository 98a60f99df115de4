import { and, eq, gte, inArray, type SQL, sql } from "drizzle-orm";
import type { CallCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import { auditLog } from "#tables/core";
import { messageRecipients, messages } from "#tables/messaging";
import { messageIdAt } from "../timed-ids.ts";

// An invoice that is sent counts in the company's ceiling, and in no key's quota.
const SENT_INVOICE = "sendInvoice";
const COUNTED = ["sendSms", "sendChatapp", "sendEmail", "resendMessage", "testNotificationTemplate"];
const COUNTED_OF_ALL = [...COUNTED, SENT_INVOICE];

// What was cancelled is given back.
const isSpent = sql`json_extract(${messageRecipients.error}, '$.code') IS NOT 'cancelled'`;

/** The SELECT of whose quota a message counts in (null: in the company's ceiling alone), when it was sent, and to how many it was cancelled. */
export function selectCancelled(id: string): SQL<{ actor: string | null; at: number; cost: number }> {
  const cancelled = sql`SELECT count(*) FROM ${messageRecipients}
    WHERE ${messageRecipients.messageId} = ${messages.id} AND NOT ${isSpent}`;
  return sql`SELECT json_object('actor', iif(${auditLog.action} = ${SENT_INVOICE}, NULL, ${auditLog.actor}), 'at', ${messages.createdAt}, 'cost', (${cancelled})) AS snapshot
    FROM ${messages} JOIN ${auditLog} ON ${auditLog.record} = ${messages.id} AND ${inArray(auditLog.action, COUNTED_OF_ALL)}
    WHERE ${messages.id} = ${id}`;
}

/** How many recipients all that counts in the company's ceiling has had since an instant (epoch ms). */
export function spentByAll(ctx: ReadCtx, since: number): Promise<number> {
  const byAnyKey = sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.record} = ${messages.id}
    AND ${inArray(auditLog.action, COUNTED_OF_ALL)})`;
  return recipientsSince(ctx, since, sql`(${messages.rule} IS NOT NULL OR ${byAnyKey}) AND ${isSpent}`);
}

/** How many recipients the calling key's sends have had since an instant (epoch ms). */
export function spentByKey(ctx: CallCtx & Pick<WriteCtx, "actor">, since: number): Promise<number> {
  const byThisKey = sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.record} = ${messages.id}
    AND ${auditLog.actor} = ${ctx.actor.id} AND ${inArray(auditLog.action, COUNTED)})`;
  return recipientsSince(ctx, since, sql`${byThisKey} AND ${isSpent}`);
}

/** How many recipients the messages of a condition have had since an instant (epoch ms). */
export async function recipientsSince(ctx: ReadCtx, since: number, condition: SQL): Promise<number> {
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ spent: sql<number>`count(*)` })
      .from(messages)
      .innerJoin(messageRecipients, eq(messageRecipients.messageId, messages.id))
      .where(and(gte(messages.id, messageIdAt(since)), condition)),
  ]);
  return rows[0]?.spent ?? 0;
}
