import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import { added, dateTime, described, from, internal, json, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { messageRecipients, messages } from "#tables/messaging";
import { CHANNELS, SOURCES, STATUSES } from "./schema.ts";

const MessageError = z.object({
  code: z.string().describe("Why it did not arrive, such as `unreachable`, `dlt_rejected` or `cancelled`."),
  message: z.string(),
  provider_code: z.string().nullable(),
});

/** What a message has by its channel and the way in which it was sent. */
const Details = z.object({
  encoding: z.enum(["GSM-7", "UCS-2"]).optional().describe("Decides how many parts it has."),
  segments: z.int().optional().meta({ description: "The number of parts that an SMS is billed as." }),
  type: z.string().optional(),
  sender_id: z.string().nullable().optional().describe("The approved sender; null for the provider's."),
  template_id: z
    .string()
    .nullable()
    .optional()
    .describe("The registered DLT template; null where none is needed."),
  template_name: z.string().nullable().optional().describe("The name of the provider's template."),
  subject: z.string().optional(),
  warnings: z
    .array(z.enum(["dlt_template_mismatch"]))
    .optional()
    .describe("Present if the text of an SMS differs from the registered template that it names."),
});

const recipients = sql<string[]>`(
  SELECT json_group_array(${messageRecipients.address}) FROM (
    SELECT * FROM ${messageRecipients} WHERE ${messageRecipients.messageId} = ${messages.id}
    ORDER BY ${messageRecipients.ordinal}
  ) ${messageRecipients}
)`;

const failed = sql<{ email: string; code: string; message: string }[]>`(
  SELECT json_group_array(json_object('email', ${messageRecipients.address},
    'code', ${messageRecipients.error} ->> '$.code', 'message', ${messageRecipients.error} ->> '$.message')) FROM (
    SELECT * FROM ${messageRecipients} WHERE ${messageRecipients.messageId} = ${messages.id}
      AND ${messageRecipients.error} IS NOT NULL ORDER BY ${messageRecipients.ordinal}
  ) ${messageRecipients}
)`;

const message = record(messages, {
  id: z.string(),
  channel: z.enum(CHANNELS),
  status: z.enum(STATUSES).meta({
    description:
      "SMS: queued, submitted, then delivered, failed or rejected. Chat-app: sent, delivered, read or failed. E-mail: sent or failed.",
  }),
  to: from(recipients, z.union([z.string(), z.array(z.string())]).describe("A list for an e-mail.")),
  created_at: dateTime,
  send_at: nullable(dateTime),
  resent_from: z.string().nullable().meta({ description: "The original message, if this one is a resend." }),
  source: added(
    z.enum(SOURCES).meta({ description: "`notification` if a notification rule sent it." }),
    ({ rule }: { rule: string | null }) => (rule === null ? "api" : "notification"),
  ),
  rule: z.string().nullable().describe("The occasion of a notification."),
  delivered_at: described(nullable(dateTime), "When the provider reported it delivered."),
  read_at: nullable(dateTime),
  failed_at: nullable(dateTime),
  error: json(MessageError.nullable().describe("What the provider refused, and why.")),
  provider_message_id: z.string().nullable().meta({ description: "Null until the provider has it." }),
  details: json(internal<z.input<typeof Details>>()),
  failed: internal(failed),
});
/** A message as the database holds it. */
export type MessageRow = RowOf<typeof message>;

/** A message as reads show it. */
export const Message = message.schema
  .extend({
    ...Details.shape,
    failed: z
      .array(z.object({ email: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "Of an e-mail: who did not get it, by what their mail server said later too." }),
  })
  .meta({ id: "Message" });

/** The SELECT of messages; `tail` is what comes after FROM. */
export function selectMessages(tail: SQL): SQL<MessageRow> {
  return sql`SELECT ${message.columns()} AS snapshot FROM ${tail}`;
}

export function renderMessage(row: MessageRow): z.input<typeof Message> {
  const mailed = row.channel === "email" ? { to: row.to, failed: row.failed } : { to: row.to[0] ?? "" };
  return { ...message.render(row), ...mailed, ...row.details };
}

/** The data of message events: never the text. */
export const messageResource = resource({
  name: "message",
  scope: "messages:read",
  record: { schema: Message, render: renderMessage },
  select: (_ctx, id) => selectMessages(sql`${messages} WHERE ${messages.id} = ${id}`),
  upgrades: [(row: object) => ({ ...row, failed: [] })],
});
