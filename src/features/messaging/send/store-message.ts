import { type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { jsonRows } from "#core/sql/json-rows.ts";
import type { MessageContent } from "#providers/messaging";
import { isNotice } from "#shared/settings.ts";
import { messageRecipients, messages } from "#tables/messaging";
import { blockOf } from "../contacts/block.ts";
import { matchOf, numberOf } from "../contacts/matching.ts";
import type { Channel } from "../messages/channel.ts";
import type { ActiveProvider } from "../providers/active-provider.ts";

export type NewMessage = MessageContent & {
  provider: ActiveProvider;
  /** What a read shows of it. */
  details: object;
  recipients: readonly { address: string; name?: string | null }[];
  /** When it goes out, in epoch ms; by default at once. */
  sendAt?: number | undefined;
  /** The message that it is sent again of. */
  resentFrom?: string;
  /** The rule of notifications that it is sent by. */
  rule?: string;
};

/** Whether a message may be unsubscribed from. */
export function isMarketing(message: { channel: Channel; content: unknown }): boolean {
  return message.channel === "email" && Object(message.content).unsubscribeAt != null;
}

/** The statements that accept a message: a row for each recipient, dead at once where it must not be sent. */
export function storeMessage(ctx: ReadCtx, id: string, message: NewMessage): SQLWrapper[] {
  const { channel, provider, details, content, recipients, sendAt } = message;
  const status = channel === "sms" ? "queued" : "sent";
  const listed = recipients.map(({ address, name = null }, ordinal) => ({
    ordinal,
    address,
    name,
    match: matchOf(channel, address),
    e164: numberOf(ctx.company.country, channel, address),
  }));
  const blocked = blockOf(channel, ctx.now, isMarketing(message));
  return [
    ctx.db.insert(messages).values({
      id,
      channel,
      status,
      providerId: provider.id,
      details: JSON.stringify(details),
      content: JSON.stringify(content),
      createdAt: ctx.now,
      resentFrom: message.resentFrom ?? null,
      rule: message.rule ?? null,
      sendAt: sendAt ?? null,
      isScheduled: sendAt === undefined ? 0 : 1,
    }),
    sql`INSERT INTO ${messageRecipients} (message_id, ordinal, address, name, provider, status, dispatch_state,
        leased_until, failed_at, error)
      SELECT ${id}, ordinal, address, name, ${provider.kind}, iif(blocked, ${blocked.status}, ${status}),
        iif(blocked, 'dead', 'pending'), ${sendAt ?? ctx.now}, iif(blocked, ${ctx.now}, NULL),
        iif(blocked, ${JSON.stringify(blocked.failure)}, NULL)
      FROM (
        SELECT ordinal, address, name, ${isNotice(message.rule) ? 0 : sql`EXISTS (${blocked.exists})`} AS blocked
        FROM (${jsonRows(listed, ["ordinal", "address", "name", "match", "e164"])}) AS item
      )`,
  ];
}
