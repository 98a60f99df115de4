import type { UnattendedCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import { applyReceipts, applyUnmatched } from "../messages/status.ts";
import type { Claimed } from "./claim.ts";
import type { MessagingTask } from "./jobs.ts";

type OutcomeTask = Extract<MessagingTask, { kind: "outcome" }>;

/** The task that tells the database what a provider accepted, when it could not be told at once. */
export function outcomeTask({ channel, kind, message_id, ordinal }: Claimed, id: string | null): OutcomeTask {
  const status = channel === "sms" ? "submitted" : "sent";
  return { kind: "outcome", provider: kind, reference: `${message_id}:${ordinal}`, accepted: id, status };
}

/** Tells the database what a provider accepted, as its receipt would; again is the same as once. */
export async function recordOutcome(ctx: UnattendedCtx, task: OutcomeTask): Promise<void> {
  const { provider, reference, accepted, status } = task;
  const receipt = { provider_message_id: accepted, reference, status, at: null, failure: null };
  await unattended(ctx, [
    ...applyReceipts(ctx, provider, [receipt]),
    ...(accepted === null ? [] : applyUnmatched(ctx, provider, accepted)),
  ]);
}
