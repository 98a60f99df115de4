import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import type { Failure } from "#providers/delivery";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { messageRecipients, messages } from "./tables.ts";

type Details = {
  encoding?: "GSM-7" | "UCS-2";
  segments?: number;
  type?: string;
  sender_id?: string | null;
  template_id?: string | null;
  template_name?: string | null;
  subject?: string;
  warnings?: "dlt_template_mismatch"[];
};

const shape = {
  id: messages.id,
  channel: messages.channel,
  status: messages.status,
  to: sql<string[]>`(
    SELECT json_group_array(${messageRecipients.address}) FROM (
      SELECT * FROM ${messageRecipients} WHERE ${messageRecipients.messageId} = ${messages.id}
      ORDER BY ${messageRecipients.ordinal}
    ) ${messageRecipients}
  )`,
  created_at: messages.createdAt,
  send_at: messages.sendAt,
  resent_from: messages.resentFrom,
  rule: messages.rule,
  delivered_at: messages.deliveredAt,
  read_at: messages.readAt,
  failed_at: messages.failedAt,
  error: sql<Failure | null>`json(${messages.error})`,
  provider_message_id: messages.providerMessageId,
  details: sql<Details>`json(${messages.details})`,
};

/** A message as the database holds it. */
export type MessageRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of messages; `tail` is what comes after FROM. */
export function selectMessages(tail: SQL): SQL<MessageRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${tail}`;
}

export function renderMessage({ details, to, channel, ...row }: MessageRow) {
  return {
    ...row,
    channel,
    source: row.rule == null ? ("api" as const) : ("notification" as const),
    rule: row.rule ?? null,
    to: channel === "email" ? to : (to[0] ?? ""),
    created_at: timestampToWire(row.created_at),
    send_at: timestampOrNull(row.send_at),
    delivered_at: timestampOrNull(row.delivered_at),
    read_at: timestampOrNull(row.read_at),
    failed_at: timestampOrNull(row.failed_at),
    ...details,
  };
}
