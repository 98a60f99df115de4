import * as z from "zod";
import { instant } from "#shared/fields/instant.ts";
import { booleanParameter } from "#shared/fields/query.ts";

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

export const InboundPatch = z.object({
  read: z.boolean().meta({ description: "`true` marks an unread message as read now." }),
});

export type InboundParams = z.output<typeof InboundParams>;
export type InboundQuery = z.output<typeof InboundQuery>;
export type InboundPatch = z.output<typeof InboundPatch>;
