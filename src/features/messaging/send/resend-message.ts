import { type SQL, sql } from "drizzle-orm";
import { requireScope } from "#core/required-scope.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { CONTENTS, type MessageContent } from "#providers/messaging";
import { Problem } from "#shared/problem.ts";
import { messages, messageRecipients as recipients } from "#tables/messaging";
import { isUnsent } from "../dispatch/unsent.ts";
import type { Channel } from "../messages/channel.ts";
import { messageNamed } from "../messages/read.ts";
import { CHANNELS, type MessageParams } from "../messages/schema.ts";
import { activeProvider, requireProvider } from "../providers/active-provider.ts";
import { acceptMessage, type SendCtx } from "./accept.ts";
import type { AcceptedRow } from "./accepted.ts";

type Original = {
  id: string;
  channel: Channel;
  details: object;
  content: unknown;
  recipients: { address: string; name: string | null; failed: 0 | 1 }[];
};

/**
 * Sends a message again, as a new one by the provider of today: to the recipients that failed, or to all where none did.
 * The key needs the scope to send on its channel. 409 `invalid_status` while it is on its way, or its content is erased.
 */
export async function resendMessage(ctx: SendCtx, { id }: MessageParams): Promise<AcceptedRow> {
  const [cells, ...found] = await read(ctx, [
    jsonQuery(ctx, selectOriginal(id)),
    ...CHANNELS.map((channel) => activeProvider(ctx, channel)),
  ] as const);
  const [original] = parseRows(cells);
  if (original === undefined) throw new Problem("not_found");
  const { channel, details, content } = original;
  requireScope(ctx, `messages:${channel}:send`);
  if (content === null) throw new Problem("invalid_status", { message: "Its content is erased" });
  const provider = requireProvider(ctx, channel, found[CHANNELS.indexOf(channel)] ?? []);
  const failed = original.recipients.filter((recipient) => recipient.failed === 1);
  const said = { channel, content: CONTENTS[channel].parse(content) } as MessageContent;
  return acceptMessage(
    ctx,
    {
      ...said,
      provider,
      details,
      recipients: failed.length > 0 ? failed : original.recipients,
      resentFrom: original.id,
    },
    [],
    [refuseWhen(isUnready(original.id), "invalid_status")],
  );
}

/** Returns true when a recipient still waits for the message, or its content is erased. */
function isUnready(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${recipients} WHERE ${recipients.messageId} = ${id} AND ${isUnsent})
    OR NOT EXISTS (SELECT 1 FROM ${messages} WHERE ${messages.id} = ${id} AND ${messages.content} IS NOT NULL)`;
}

function selectOriginal(name: string): SQL<Original> {
  const { address, status, ordinal, messageId } = recipients;
  return sql`SELECT json_object(
    'id', ${messages.id}, 'channel', ${messages.channel}, 'details', json(${messages.details}),
    'content', json(${messages.content}),
    'recipients', (
      SELECT json_group_array(json_object('address', ${address}, 'name', ${recipients.name},
        'failed', ${status} IN ('failed', 'rejected')))
      FROM (SELECT * FROM ${recipients} WHERE ${messageId} = ${messages.id} ORDER BY ${ordinal}) ${recipients}
    )
  ) AS snapshot FROM ${messages} WHERE ${messages.id} = ${messageNamed(name)}`;
}
