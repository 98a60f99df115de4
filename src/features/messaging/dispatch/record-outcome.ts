import type { SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { applyReceipts, applyUnmatched } from "../messages/status.ts";
import type { MessagingTask } from "./jobs.ts";
import type { Leased } from "./lease.ts";

type OutcomeTask = Extract<MessagingTask, { kind: "outcome" }>;

/** The task that records what a provider accepted, when the database failed at first. */
export function outcomeTask({ channel, kind, message_id, ordinal }: Leased, id: string | null): OutcomeTask {
  const status = channel === "sms" ? "submitted" : "sent";
  return { kind: "outcome", provider: kind, reference: `${message_id}:${ordinal}`, accepted: id, status };
}

/** Records what a provider accepted, as its receipt would; idempotent. */
export async function recordOutcome(ctx: SystemWriteCtx, task: OutcomeTask): Promise<void> {
  const { provider, reference, accepted, status } = task;
  const receipt = { provider_message_id: accepted, reference, status, at: null, failure: null };
  await systemWrite(ctx, [
    ...applyReceipts(ctx, provider, [receipt]),
    ...(accepted === null ? [] : applyUnmatched(ctx, provider, accepted)),
  ]);
}
