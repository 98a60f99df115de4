import { eq, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { messageIdAt } from "#features/messaging";
import { messageRecipients, messages } from "#tables/messaging";

/** How many recipients the company's notifications have had since an instant (epoch ms). */
export async function spentSince(ctx: ReadCtx, since: number): Promise<number> {
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ spent: sql<number>`count(*)` })
      .from(messages)
      .innerJoin(messageRecipients, eq(messageRecipients.messageId, messages.id))
      .where(sql`${messages.rule} IS NOT NULL AND ${messages.id} >= ${messageIdAt(since)}`),
  ]);
  return rows[0]?.spent ?? 0;
}
