import * as z from "zod";
import { instant } from "#shared/fields/instant.ts";
import { timestamp } from "../schema.ts";

export const CHANNELS = ["sms", "chatapp", "email"] as const;
const SOURCES = ["api", "notification"] as const;
const STATUSES = ["queued", "submitted", "sent", "delivered", "read", "failed", "rejected"] as const;

export const MessageParams = z.object({
  id: z.string().meta({ description: "The message's own id, or its provider's." }),
});
export const MessageQuery = z.object({
  channel: z.enum(CHANNELS).optional(),
  status: z.enum(STATUSES).optional(),
  to: z
    .string()
    .min(1)
    .max(254)
    .optional()
    .meta({ description: "A recipient, exactly as sent in the request." }),
  source: z
    .enum(SOURCES)
    .optional()
    .meta({ description: "The origin: a call, or a rule of the company's notifications." }),
  rule: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: "For notifications: the rule that sent it." }),
  created_from: instant.optional(),
  created_to: instant.optional().meta({ description: "Not included." }),
});

const MessageError = z.object({
  code: z
    .string()
    .meta({ description: "Why it did not arrive, such as `unreachable`, `dlt_rejected` or `cancelled`." }),
  message: z.string(),
  provider_code: z.string().nullable().meta({ description: "The provider's own code, if it sent one." }),
});

export const Message = z
  .object({
    id: z.string(),
    channel: z.enum(CHANNELS),
    status: z.enum(STATUSES).meta({
      description:
        "SMS: queued, submitted, then delivered, failed or rejected. Chat-app: sent, delivered, read or failed. E-mail: sent or failed.",
    }),
    to: z.union([z.string(), z.array(z.string())]).meta({ description: "A list for an e-mail." }),
    created_at: timestamp,
    send_at: timestamp.nullable().meta({ description: "The time set for a scheduled message." }),
    resent_from: z
      .string()
      .nullable()
      .meta({ description: "The original message, if this one is a resend." }),
    source: z.enum(SOURCES).meta({ description: "`notification` if a notification rule sent it." }),
    rule: z.string().nullable(),
    delivered_at: timestamp.nullable(),
    read_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    error: MessageError.nullable(),
    provider_message_id: z.string().nullable().meta({ description: "Null until the provider has it." }),
    encoding: z.enum(["GSM-7", "UCS-2"]).optional(),
    segments: z.int().optional().meta({ description: "The number of parts that an SMS is billed as." }),
    type: z.string().optional(),
    sender_id: z.string().nullable().optional(),
    template_id: z.string().nullable().optional(),
    template_name: z.string().nullable().optional(),
    subject: z.string().optional(),
    warnings: z
      .array(z.enum(["dlt_template_mismatch"]))
      .optional()
      .meta({
        description: "Present if the text of an SMS differs from the registered template that it names.",
      }),
  })
  .meta({ id: "Message" });

export type MessageParams = z.output<typeof MessageParams>;
export type MessageQuery = z.output<typeof MessageQuery>;
