import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx } from "#core/context.ts";
import { dateTime, described, from, idText, nullable, rendered } from "#core/sql/fields.ts";
import { readNewest } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import type { Listed, Page } from "#shared/page.ts";
import { NOTICES } from "#shared/settings.ts";
import { messages } from "#tables/messaging";
import { notifications } from "#tables/notifications";
import { RULE_NAMES } from "../rules.ts";
import { CHANNELS } from "../schema.ts";
import type { State } from "../states.ts";

const STATES = ["due", "sent", "skipped", "capped", "failed"] as const;

export const LogQuery = z.object({
  state: z.enum(STATES).optional(),
  rule: z
    .enum([...RULE_NAMES, ...NOTICES])
    .optional()
    .describe(
      "As the settings name it. Three have no setting: `receiver_changed` goes to an address that was changed; the company gets `payee_changed` when where its customers pay was, and `setting_changed` when a key, a provider, an endpoint, a feed or a text was.",
    ),
});

// What waits for room in a cap is due by its row.
const state = sql<State>`iif(${notifications.state} = 'due' AND ${notifications.reason} IS NOT NULL, 'capped', ${notifications.state})`;
const messageStatus = sql<string | null>`(SELECT ${messages.status} FROM ${messages}
  WHERE ${messages.id} = ${notifications.messageId})`;

/** What became of a notification. */
export const logged = record(
  notifications,
  {
    id: idText,
    rule: z.string(),
    channel: z.enum(CHANNELS),
    recipient: z.string().meta({
      description:
        "The receiver: `customer`, `instructor:{id}`, `company`, `lead`, `applicant`, or `former` for an address that was changed.",
    }),
    resource: z.string(),
    record_id: rendered(
      z.string().nullable().describe("Null if the notification counts what happened in an hour."),
      (id: string) => (id === "" ? null : id),
    ),
    state: from(
      state,
      z.enum(STATES).meta({
        description:
          "`sent`: its message was made. `capped`: a cap was reached, of the day or of its receiver's hour; until it has `ended_at`, it is tried again at `due_at`. `skipped`, `capped` and `failed` have a `reason`.",
      }),
    ),
    reason: z.string().nullable().meta({ description: "Why nothing was sent." }),
    message_id: z.string().nullable().describe("Null if none was made."),
    message_status: from(
      messageStatus,
      z.string().nullable().meta({
        description: "The current status of the message. A message that was `sent` can still be `failed`.",
      }),
    ),
    count: z.int().describe("How many happenings the message sums up."),
    due_at: described(dateTime, "When it is to be sent."),
    ended_at: described(nullable(dateTime), "When it was sent or given up; null until then."),
  },
  "LoggedNotification",
);

/** What became of each notification, newest first. */
export function listNotifications(
  ctx: CallCtx,
  _params: unknown,
  { state: wanted, rule, page }: z.output<typeof LogQuery> & { page: Page },
): Promise<Listed<RowOf<typeof logged>>> {
  return readNewest(ctx, page, logged, wanted && eq(state, wanted), rule && eq(notifications.rule, rule));
}
