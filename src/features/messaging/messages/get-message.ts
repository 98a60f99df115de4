import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readOne } from "#platform/sql/read-records.ts";
import type { MessageParams } from "./schema.ts";
import { type MessageRow, selectMessages } from "./snapshot.ts";
import { messageRecipients, messages } from "./tables.ts";

/** One message, by its own id or else by its provider's. */
export function getMessage(ctx: CallCtx, { id }: MessageParams): Promise<MessageRow> {
  const own = sql`SELECT ${messages.id} FROM ${messages} WHERE ${messages.id} = ${id}`;
  const { messageId, providerMessageId } = messageRecipients;
  const byProvider = sql`SELECT ${messageId} FROM ${messageRecipients} WHERE ${providerMessageId} = ${id} LIMIT 1`;
  return readOne(
    ctx,
    selectMessages(sql`${messages} WHERE ${messages.id} = coalesce((${own}), (${byProvider}))`),
  );
}
