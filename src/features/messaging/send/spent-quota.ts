import { and, count, eq, exists, gte, inArray, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { auditLog } from "#platform/tables.ts";
import { messageIdAt } from "../messages/message-id.ts";
import { messageRecipients, messages } from "../messages/tables.ts";

// An invoice that is sent counts against no limit.
const COUNTED = ["sendSms", "sendChatapp", "sendEmail"];

/** How many recipients the calling key's sends have had since an instant (epoch ms). */
export async function spentSince(ctx: CallCtx & Pick<WriteCtx, "actor">, since: number): Promise<number> {
  const byThisKey = ctx.db
    .select({ one: sql`1` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.record, messages.id),
        eq(auditLog.actor, ctx.actor.id),
        inArray(auditLog.action, COUNTED),
      ),
    );
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ spent: count() })
      .from(messages)
      .innerJoin(messageRecipients, eq(messageRecipients.messageId, messages.id))
      .where(and(gte(messages.id, messageIdAt(since)), exists(byThisKey))),
  ]);
  return rows[0]?.spent ?? 0;
}
