import { sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import { added, dateTime, described, from, idText, internal, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { INBOUND_TYPES } from "#shared/contact/inbound-types.ts";
import { inboundMessages } from "#tables/messaging";

type Sender = { sender: string };

/** What a person wrote to the company. */
export const inboundMessage = record(
  inboundMessages,
  {
    id: z.string(),
    channel: z.enum(["sms", "chatapp"]),
    sender: internal<string>(),
    from: added(
      z.string().meta({ description: "Digits, in the form that `to` of a send accepts." }),
      ({ sender }: Sender) => sender.replace(/^\+/, ""),
    ),
    from_e164: added(
      z.string().nullable().meta({ description: "The whole number; null if it is not known." }),
      ({ sender }: Sender) => (sender.startsWith("+") ? sender : null),
    ),
    to: from(
      inboundMessages.recipient,
      z.string().nullable().meta({ description: "The company's own number, if the provider sends it." }),
    ),
    type: z.enum(INBOUND_TYPES).describe("The API does not fetch attachments; it returns their type."),
    text: z.string().nullable().meta({
      description:
        "The written text, a caption, or the text of a button; null if there is none, and after the company's `content_days`.",
    }),
    media_type: z.string().nullable().describe("Of what was sent with it; null for text alone."),
    reply_to_message_id: from(
      inboundMessages.replyTo,
      z.string().nullable().describe("The company's message that it answers, if the provider sends it."),
    ),
    customer_id: described(
      nullable(idText),
      "The oldest customer whose phone had the same last 9 digits when the message came.",
    ),
    provider_message_id: z.string().nullable(),
    sent_at: described(nullable(dateTime), "When it was written, if the provider sends it."),
    received_at: dateTime,
    read_at: nullable(dateTime),
  },
  "InboundMessage",
);
export type InboundRow = RowOf<typeof inboundMessage>;

/** The data of events of inbound messages. */
export const inboundResource = resource({
  name: "inbound_message",
  scope: "messages:read",
  record: inboundMessage,
  select: (_ctx, id) => inboundMessage.select(sql`${inboundMessages.id} = ${id}`),
});
