import * as z from "zod";
import { RULE_NAMES } from "../rules.ts";
import { CHANNELS, timestamp } from "../schema.ts";

const STATES = ["due", "sent", "skipped", "capped", "failed"] as const;

export const LogQuery = z.object({
  state: z.enum(STATES).optional(),
  rule: z.enum(RULE_NAMES).optional().meta({ description: "As the settings name it." }),
});

export const LoggedNotification = z
  .object({
    id: z.string(),
    rule: z.string(),
    channel: z.enum(CHANNELS),
    recipient: z.string().meta({
      description: "Whom it is for: `customer`, `instructor:{id}`, `company`, `lead` or `applicant`.",
    }),
    resource: z.string(),
    record_id: z.string().nullable().meta({ description: "Null where it counts what happened in an hour." }),
    state: z.enum(STATES).meta({
      description:
        "`sent`: its message was made. `capped`: the daily cap was reached. `skipped` and `failed` have a `reason`.",
    }),
    reason: z.string().nullable().meta({ description: "Why nothing was sent." }),
    message_id: z.string().nullable(),
    message_status: z.string().nullable().meta({
      description: "Of the message by now: one that was `sent` may still have `failed` on its way.",
    }),
    count: z.int(),
    due_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: "LoggedNotification" });

export type LogQuery = z.output<typeof LogQuery>;
