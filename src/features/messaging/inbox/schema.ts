import * as z from "zod";
import { INBOUND_TYPES } from "#shared/contact/inbound-types.ts";
import { instant } from "#shared/fields/instant.ts";
import { booleanParameter } from "#shared/fields/query.ts";
import { timestamp } from "../schema.ts";

const CHANNELS = ["sms", "chatapp"] as const;

export const InboundParams = z.object({ id: z.string() });
export const InboundQuery = z.object({
  channel: z.enum(CHANNELS).optional(),
  from: z.string().min(1).max(40).optional().meta({
    description: "The sender: a number in E.164, or as dialled in the company's country.",
  }),
  unread: booleanParameter.optional().meta({
    description: "`true`: only messages not marked as read. `false`: only messages marked as read.",
  }),
  created_from: instant.optional().meta({ description: "By `received_at`." }),
  created_to: instant.optional().meta({ description: "Not included." }),
});

export const InboundMessage = z
  .object({
    id: z.string(),
    channel: z.enum(CHANNELS),
    from: z.string().meta({ description: "Digits, in the form that `to` of a send accepts." }),
    from_e164: z.string().nullable().meta({ description: "The whole number; null if it is not known." }),
    to: z.string().nullable().meta({ description: "The company's own number, if the provider sends it." }),
    type: z
      .enum(INBOUND_TYPES)
      .meta({ description: "The API does not fetch attachments; it returns their type." }),
    text: z.string().nullable().meta({
      description:
        "The written text, a caption, or the text of a button; null if there is none, and after the company's `content_days`.",
    }),
    media_type: z.string().nullable(),
    reply_to_message_id: z
      .string()
      .nullable()
      .meta({ description: "The company's message that it answers, if the provider sends it." }),
    customer_id: z.string().nullable().meta({
      description: "The oldest customer whose phone had the same last 9 digits when the message came.",
    }),
    provider_message_id: z.string().nullable(),
    sent_at: timestamp.nullable().meta({ description: "When it was written, if the provider sends it." }),
    received_at: timestamp,
    read_at: timestamp.nullable(),
  })
  .meta({ id: "InboundMessage" });

export const InboundPatch = z.object({
  read: z.boolean().meta({ description: "`true` marks an unread message as read now." }),
});

export type InboundParams = z.output<typeof InboundParams>;
export type InboundQuery = z.output<typeof InboundQuery>;
export type InboundPatch = z.output<typeof InboundPatch>;
