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
    description: "Whoever wrote: a number in E.164, or as it is dialled in the company's country.",
  }),
  unread: booleanParameter
    .optional()
    .meta({ description: "Only what nobody marked as read; `false`: only what is." }),
  created_from: instant.optional().meta({ description: "By `received_at`." }),
  created_to: instant.optional().meta({ description: "Not included." }),
});

export const InboundMessage = z
  .object({
    id: z.string(),
    channel: z.enum(CHANNELS),
    from: z.string().meta({ description: "Digits, as a send takes them for `to`." }),
    from_e164: z.string().nullable().meta({ description: "The whole number; null where it cannot be told." }),
    to: z.string().nullable().meta({ description: "The company's own number, where the provider tells it." }),
    type: z.enum(INBOUND_TYPES).meta({ description: "What is sent along is not fetched: its type is told." }),
    text: z.string().nullable().meta({
      description:
        "What was written, a caption, or the words of a button; null where there is none, and after the company's `content_days`.",
    }),
    media_type: z.string().nullable(),
    reply_to_message_id: z
      .string()
      .nullable()
      .meta({ description: "The message of the company that it answers, where the provider tells it." }),
    customer_id: z
      .string()
      .nullable()
      .meta({ description: "The oldest customer whose phone has the same last 9 digits, as it came." }),
    provider_message_id: z.string().nullable(),
    sent_at: timestamp.nullable().meta({ description: "When it was written, where the provider tells it." }),
    received_at: timestamp,
    read_at: timestamp.nullable(),
  })
  .meta({ id: "InboundMessage" });

export const InboundPatch = z.object({
  read: z.boolean().meta({ description: "`true` marks it as read now, where it is not yet." }),
});

export type InboundParams = z.output<typeof InboundParams>;
export type InboundQuery = z.output<typeof InboundQuery>;
export type InboundPatch = z.output<typeof InboundPatch>;
