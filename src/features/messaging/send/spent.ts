import { sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { auditLog } from "#platform/write/tables.ts";
import { ulidTime } from "#shared/text/ulid.ts";
import { messageRecipients, messages } from "../messages/tables.ts";

// An invoice that is sent counts against no limit.
const COUNTED = JSON.stringify(["sendSms", "sendChatapp", "sendEmail"]);

/** How many recipients the calling key's sends have had since an instant (epoch ms). */
export async function spentSince(ctx: CallCtx & Pick<WriteCtx, "actor">, since: number): Promise<number> {
  const [rows] = await ctx.database.read([
    ctx.db.all<{ count: number }>(sql`SELECT count(*) AS count
      FROM ${messages} m JOIN ${messageRecipients} r ON r.message_id = m.id
      WHERE m.id >= ${`msg_${ulidTime(since)}`} AND EXISTS (
        SELECT 1 FROM ${auditLog} a WHERE a.record = m.id AND a.actor = ${ctx.actor.id}
          AND a.action IN (SELECT value FROM json_each(${COUNTED}))
      )`),
  ]);
  return Number(rows[0]?.count ?? 0);
}
