import { type SQL, sql } from "drizzle-orm";
import type { IdCtx, ReadCtx } from "#platform/context.ts";
import { jsonRows } from "#platform/json-rows.ts";
import type { MessageContent } from "#providers/messaging";
import { blockOf } from "../contacts/block.ts";
import { matchOf, numberOf } from "../contacts/matching.ts";
import { messageRecipients, messages } from "../messages/tables.ts";
import type { ActiveProvider } from "../providers/active-provider.ts";

export type NewMessage = MessageContent & {
  provider: ActiveProvider;
  /** What a read shows of it. */
  details: object;
  recipients: readonly { address: string; name?: string | null }[];
};

/** A fresh id of a message; ids sort by the time of acceptance. */
export function newMessageId(ctx: ReadCtx & IdCtx): string {
  return `msg_${ctx.newId()}`;
}

/** The statements that accept a message: a row for each recipient, dead at once where it must not be sent. */
export function storeMessage(ctx: ReadCtx, id: string, message: NewMessage): SQL[] {
  const { channel, provider, details, content, recipients } = message;
  const status = channel === "sms" ? "queued" : "sent";
  const listed = recipients.map(({ address, name = null }, ordinal) => ({
    ordinal,
    address,
    name,
    match: matchOf(channel, address),
    e164: numberOf(ctx.company.country, channel, address),
  }));
  const blocked = blockOf(channel, ctx.now);
  return [
    sql`INSERT INTO ${messages} (id, channel, status, provider_id, details, content, created_at)
      VALUES (${id}, ${channel}, ${status}, ${provider.id}, ${JSON.stringify(details)}, ${JSON.stringify(content)}, ${ctx.now})`,
    sql`INSERT INTO ${messageRecipients}
      (message_id, ordinal, address, name, provider, status, dispatch_state, claim_until, failed_at, error)
      SELECT ${id}, ordinal, address, name, ${provider.kind}, iif(blocked, ${blocked.status}, ${status}),
        iif(blocked, 'dead', 'pending'), ${ctx.now}, iif(blocked, ${ctx.now}, NULL),
        iif(blocked, ${JSON.stringify(blocked.failure)}, NULL)
      FROM (
        SELECT ordinal, address, name, EXISTS (${blocked.exists}) AS blocked
        FROM (${jsonRows(listed, ["ordinal", "address", "name", "match", "e164"])}) AS item
      )`,
  ];
}
