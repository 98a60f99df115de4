import * as z from "zod";
import { changeFilters, createdBy } from "#shared/fields/list-filters.ts";

export const CHANNELS = ["sms", "chatapp", "email"] as const;
export const SOURCES = ["api", "notification"] as const;
export const STATUSES = ["queued", "submitted", "sent", "delivered", "read", "failed", "rejected"] as const;

export const MessageParams = z.object({
  id: z.string().meta({ description: "The message's own id, or its provider's." }),
});
export const MessageQuery = z.object({
  channel: z.enum(CHANNELS).optional(),
  status: z.enum(STATUSES).optional(),
  to: z.string().min(1).max(254).optional().describe("A recipient, exactly as sent in the request."),
  source: z
    .enum(SOURCES)
    .optional()
    .meta({ description: "The origin: a call, or a rule of the company's notifications." }),
  rule: z.string().min(1).max(64).optional().describe("For notifications: the rule that sent it."),
  ...createdBy("invalid_format"),
  ...changeFilters,
});

export type MessageParams = z.output<typeof MessageParams>;
export type MessageQuery = z.output<typeof MessageQuery>;
