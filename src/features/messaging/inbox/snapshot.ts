import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import type { InboundType } from "#shared/contact/inbound-types.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { inboundMessages as inbound } from "./tables.ts";

const shape = {
  id: inbound.id,
  channel: inbound.channel,
  sender: inbound.sender,
  to: inbound.recipient,
  type: sql<InboundType>`${inbound.type}`,
  text: inbound.text,
  media_type: inbound.mediaType,
  reply_to_message_id: inbound.replyTo,
  customer_id: inbound.customerId,
  provider_message_id: inbound.providerMessageId,
  sent_at: inbound.sentAt,
  received_at: inbound.receivedAt,
  read_at: inbound.readAt,
};

/** What a person wrote, as the database holds it. */
export type InboundRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of what people wrote; `tail` is what comes after WHERE. */
export function selectInbound(tail: SQL): SQL<InboundRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${inbound} WHERE ${tail}`;
}

export function renderInbound({ sender, customer_id, ...row }: InboundRow) {
  const isWhole = sender.startsWith("+");
  return {
    ...row,
    from: isWhole ? sender.slice(1) : sender,
    from_e164: isWhole ? sender : null,
    customer_id: customer_id === null ? null : String(customer_id),
    sent_at: timestampOrNull(row.sent_at),
    received_at: timestampToWire(row.received_at),
    read_at: timestampOrNull(row.read_at),
  };
}
