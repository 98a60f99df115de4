import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/sql/json.ts";
import { read } from "#platform/write/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import type { MessageParams } from "./schema.ts";
import { type MessageRow, selectMessages } from "./snapshot.ts";
import { messageRecipients, messages } from "./tables.ts";

/** One message, by its own id or else by its provider's. */
export async function getMessage(ctx: CallCtx, { id }: MessageParams): Promise<MessageRow> {
  const byProvider = sql`SELECT message_id FROM ${messageRecipients} WHERE provider_message_id = ${id} LIMIT 1`;
  const own = sql`SELECT id FROM ${messages} WHERE id = ${id}`;
  const [rows] = await read(ctx, [
    jsonQuery(
      ctx,
      selectMessages(sql`${messages} WHERE ${messages.id} = coalesce((${own}), (${byProvider}))`),
    ),
  ]);
  const [message] = parseRows(rows);
  if (message === undefined) throw new Problem("not_found");
  return message;
}
