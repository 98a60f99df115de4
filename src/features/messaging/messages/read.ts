import { and, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { createdIn, equalTo, isByChange, type Placed, readByChange, within } from "#core/sql/narrowed.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import type { Listed, Page } from "#shared/page.ts";
import { messageRecipients, messages } from "#tables/messaging";
import { belowMessage, messageIdAt } from "../timed-ids.ts";
import { type MessageRow, selectMessages } from "./record.ts";
import type { MessageParams, MessageQuery } from "./schema.ts";

const { createdAt, deliveredAt, readAt, failedAt } = messages;
const MESSAGES = {
  resource: "message" as const,
  table: messages,
  updatedAt: sql<number>`max(${createdAt}, coalesce(${deliveredAt}, 0), coalesce(${readAt}, 0), coalesce(${failedAt}, 0))`,
  select: (tail: SQL) => selectMessages(sql`${messages} WHERE ${tail}`),
};

/** Messages, newest first or by the order of changes. */
export async function listMessages(
  ctx: CallCtx,
  _params: unknown,
  query: MessageQuery & { page: Page },
): Promise<Listed<Placed<MessageRow>>> {
  const { page, to, source, rule } = query;
  const created = createdIn(ctx, createdAt, query);
  const conditions: (SQL | undefined)[] = [
    source && (source === "api" ? isNull(messages.rule) : isNotNull(messages.rule)),
    rule === undefined ? undefined : sql`${messages.rule} IS NOT NULL AND ${messages.rule} = ${rule}`,
    equalTo(messages, query, "channel", "status"),
  ];
  const { messageId, address } = messageRecipients;
  if (isByChange(query)) {
    const theirs = sql`${messages.id} IN (SELECT ${messageId} FROM ${messageRecipients} WHERE ${address} = ${to})`;
    const which = and(created && within(created), to === undefined ? undefined : theirs, ...conditions);
    return readByChange(ctx, MESSAGES, query, which);
  }
  const until = belowMessage(page, query.created_to === undefined ? undefined : Number(created?.before));
  // By recipient, the order is that of the recipients' index.
  const id = to === undefined ? messages.id : messageId;
  const rows: SQL =
    to === undefined
      ? sql`${messages}`
      : sql`${messageRecipients} CROSS JOIN ${messages} ON ${messages.id} = ${messageId}`;
  const where = and(
    sql`${id} < ${until}`,
    to === undefined ? undefined : sql`${address} = ${to}`,
    created && sql`${id} >= ${messageIdAt(Number(created.from))}`,
    ...conditions,
  );
  const tail = sql`${rows} WHERE ${where} ORDER BY ${id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectMessages(tail));
}

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
