import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import type { Failure } from "#providers/delivery";
import { timestampToWire } from "#shared/time/dates.ts";
import { messageRecipients, messages } from "#tables/messaging";
import type { Channel } from "../messages/channel.ts";
import type { Warning } from "./schema.ts";

const recipientShape = {
  id: messageRecipients.id,
  address: messageRecipients.address,
  error: sql<Failure | null>`json(${messageRecipients.error})`,
};
const recipientJson = once(() => jsonObject(recipientShape));

/** A message as it was accepted: what a send answers, and every replay of it. */
export type AcceptedRow = {
  id: string;
  channel: Channel;
  created_at: number;
  send_at: number | null;
  resent_from: string | null;
  recipients: JsonRow<typeof recipientShape>[];
  warnings: Warning[];
};

/** The SELECT that a send ends with. */
export function selectAccepted(id: string, warnings: readonly Warning[] = []): SQL<AcceptedRow> {
  return sql`SELECT json_object(
    'id', ${messages.id}, 'channel', ${messages.channel}, 'created_at', ${messages.createdAt},
    'send_at', ${messages.sendAt}, 'resent_from', ${messages.resentFrom},
    'recipients', (
      SELECT json_group_array(${recipientJson()}) FROM (
        SELECT * FROM ${messageRecipients} WHERE ${messageRecipients.messageId} = ${id}
        ORDER BY ${messageRecipients.ordinal}
      ) ${messageRecipients}
    ),
    'warnings', json(${JSON.stringify(warnings)})
  ) AS snapshot FROM ${messages} WHERE ${messages.id} = ${id}`;
}

function besides({ send_at, resent_from, warnings }: AcceptedRow) {
  return {
    ...(send_at === null ? {} : { send_at: timestampToWire(send_at) }),
    ...(resent_from === null ? {} : { resent_from }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

export function renderSent(row: AcceptedRow) {
  const { id, channel, created_at, recipients } = row;
  return {
    id,
    channel,
    status: channel === "sms" ? ("queued" as const) : ("sent" as const),
    to: recipients[0]?.address ?? "",
    created_at: timestampToWire(created_at),
    ...besides(row),
  };
}

export function renderSentEmail(row: AcceptedRow) {
  const { id, created_at, recipients } = row;
  const failed = recipients.flatMap(({ address, error }) =>
    error === null ? [] : [{ email: address, code: error.code, message: error.message }],
  );
  return {
    id,
    channel: "email" as const,
    status: "sent" as const,
    to: recipients.map(({ address }) => address),
    sent_count: recipients.length - failed.length,
    failed,
    created_at: timestampToWire(created_at),
    ...besides(row),
  };
}
