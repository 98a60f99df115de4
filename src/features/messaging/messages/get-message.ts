import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import { messageRecipients, messages } from "#tables/messaging";
import { type MessageRow, selectMessages } from "./record.ts";
import type { MessageParams } from "./schema.ts";

/** One message, by its own id or else by its provider's. */
export function getMessage(ctx: CallCtx, { id }: MessageParams): Promise<MessageRow> {
  return readOne(ctx, selectMessages(sql`${messages} WHERE ${messages.id} = ${messageNamed(id)}`));
}

/** The id of the message of a name: its own id, or else its provider's; NULL for none. */
export function messageNamed(name: string): SQL<string> {
  const own = sql`SELECT ${messages.id} FROM ${messages} WHERE ${messages.id} = ${name}`;
  const { messageId, providerMessageId } = messageRecipients;
  const byProvider = sql`SELECT ${messageId} FROM ${messageRecipients} WHERE ${providerMessageId} = ${name} LIMIT 1`;
  return sql`coalesce((${own}), (${byProvider}))`;
}
