import * as z from "zod";
import { NOTICE_NAMES, RULE_NAMES } from "../rules.ts";
import { CHANNELS, timestamp } from "../schema.ts";

const STATES = ["due", "sent", "skipped", "capped", "failed"] as const;

export const LogQuery = z.object({
  state: z.enum(STATES).optional(),
  rule: z
    .enum([...RULE_NAMES, ...NOTICE_NAMES])
    .optional()
    .meta({
      description:
        "As the settings name it. Two have no setting: `receiver_changed` goes to an address that was changed, `payee_changed` to the company when its UPI id or a payment gateway's credentials were.",
    }),
});

export const LoggedNotification = z
  .object({
    id: z.string(),
    rule: z.string(),
    channel: z.enum(CHANNELS),
    recipient: z.string().meta({
      description:
        "The receiver: `customer`, `instructor:{id}`, `company`, `lead`, `applicant`, or `former` for an address that was changed.",
    }),
    resource: z.string(),
    record_id: z
      .string()
      .nullable()
      .meta({ description: "Null if the notification counts what happened in an hour." }),
    state: z.enum(STATES).meta({
      description:
        "`sent`: its message was made. `capped`: the daily cap was reached. `skipped` and `failed` have a `reason`.",
    }),
    reason: z.string().nullable().meta({ description: "Why nothing was sent." }),
    message_id: z.string().nullable(),
    message_status: z.string().nullable().meta({
      description: "The current status of the message. A message that was `sent` can still be `failed`.",
    }),
    count: z.int(),
    due_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: "LoggedNotification" });

export type LogQuery = z.output<typeof LogQuery>;
