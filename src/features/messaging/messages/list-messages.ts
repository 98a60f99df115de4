import { isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readList } from "#core/sql/read-records.ts";
import type { Listed, Page } from "#shared/page.ts";
import { messageRecipients, messages } from "#tables/messaging";
import { messageIdAt } from "./message-id.ts";
import { type MessageRow, selectMessages } from "./record.ts";
import type { MessageQuery } from "./schema.ts";

// An id begins with its time of acceptance, so a range of times is a range of ids.
const ABOVE_EVERY_ID = "msg_~";

/** Messages, newest first. */
export async function listMessages(
  ctx: CallCtx,
  _params: unknown,
  { channel, status, to, source, rule, created_from, created_to, page }: MessageQuery & { page: Page },
): Promise<Listed<MessageRow>> {
  const [after] = page.after ?? [];
  const bound = typeof after === "string" ? after : ABOVE_EVERY_ID;
  const until = created_to === undefined ? bound : [bound, messageIdAt(created_to)].sort()[0];
  // By recipient, the order is that of the recipients' index.
  const id = to === undefined ? messages.id : messageRecipients.messageId;
  const rows: SQL =
    to === undefined
      ? sql`${messages}`
      : sql`${messageRecipients} CROSS JOIN ${messages} ON ${messages.id} = ${messageRecipients.messageId}`;
  const conditions = [sql`${id} < ${until}`];
  if (to !== undefined) conditions.push(sql`${messageRecipients.address} = ${to}`);
  if (created_from !== undefined) conditions.push(sql`${id} >= ${messageIdAt(created_from)}`);
  if (source !== undefined)
    conditions.push(source === "api" ? isNull(messages.rule) : isNotNull(messages.rule));
  if (rule !== undefined) conditions.push(sql`${messages.rule} IS NOT NULL AND ${messages.rule} = ${rule}`);
  if (channel !== undefined) conditions.push(sql`${messages.channel} = ${channel}`);
  if (status !== undefined) conditions.push(sql`${messages.status} = ${status}`);
  const where = sql.join(conditions, sql` AND `);
  const tail = sql`${rows} WHERE ${where} ORDER BY ${id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectMessages(tail));
}
