import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { CallCtx, ReadCtx, UnattendedCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import { type Failure, failure } from "#providers/delivery";
import { DAY_MS } from "#shared/time/durations.ts";
import { applyUnmatched, unlessTaken } from "../messages/status.ts";
import { messageRecipients, type Status } from "../messages/tables.ts";
import { endPause, noteAnswer, noteFailure, pauseProvider } from "../providers/pause.ts";
import { messagingProviders } from "../providers/tables.ts";
import type { Claimed, ClaimedProvider } from "./claim.ts";
import { releaseHeld } from "./requeue.ts";
import { isUnsent } from "./unsent.ts";

type RecipientChange = SQLiteUpdateSetSource<typeof messageRecipients>;

// The queue and this clock may differ a little: a row is free somewhat before its job comes.
const SKEW_MS = 2_000;

// Without a claim, so that a request of this run that arrives late cannot take the row up again.
const RELEASED = { dispatchState: "pending", claim: null } as const;

/** An older message is not sent any more: its code has expired, its meeting is over. */
export const MOST_AGE_MS = DAY_MS;

// Each time its provider answered that it is busy, or did not say what it did and sends a reference once.
const MOST_ATTEMPTS = 9;

/** The failure of a message of which nobody knows whether its provider took it. */
export const UNKNOWN = failure(
  "unknown",
  "The provider was asked, and did not say whether it sent the message",
);

const EXHAUSTED = failure("dispatch_exhausted", "The message could not be handed to its provider");

export const EXPIRED = failure("expired", "The message waited for more than 24 hours");

/** Marks a recipient whose message its provider took, under `id` where it gave one, and applies the receipts that came first. */
export async function markAccepted(
  ctx: CallCtx & UnattendedCtx,
  claimed: Claimed,
  id: string | null,
): Promise<void> {
  const { channel, kind, provider } = claimed;
  const status = channel === "sms" ? "submitted" : "sent";
  await unattended(ctx, [
    mark(ctx, claimed, { dispatchState: "dispatched", status, providerMessageId: unlessTaken(kind, id) }),
    ...(id === null ? [] : applyUnmatched(ctx, kind, id)),
    ...(provider === null
      ? []
      : [releaseHeld(ctx, provider.id), endPause(ctx, provider.id), noteAnswer(ctx, provider.id)]),
  ]);
}

/** Marks a recipient that is never sent to any more, or of whom nobody knows whether they were. */
export async function markFailed(
  ctx: CallCtx & UnattendedCtx,
  claimed: Claimed,
  reason: Failure,
  status: Status = "failed",
): Promise<void> {
  await unattended(ctx, [mark(ctx, claimed, { ...failedColumns(reason, ctx), status })]);
}

/** The same, by an answer of its provider. */
export async function markRefused(
  ctx: CallCtx & UnattendedCtx,
  claimed: Claimed,
  reason: Failure,
): Promise<void> {
  const { provider } = claimed;
  const answered = provider === null ? [] : [noteAnswer(ctx, provider.id)];
  await unattended(ctx, [mark(ctx, claimed, failedColumns(reason, ctx)), ...answered]);
}

/** Lets a recipient wait until its paused provider resumes, or the message is too old. */
export async function defer(ctx: CallCtx & UnattendedCtx, claimed: Claimed): Promise<void> {
  await unattended(ctx, [holdWhilePaused(ctx, claimed)]);
}

/** Pauses a provider that refused its credentials, and lets the recipient wait; not where they were changed meanwhile. */
export async function pause(
  ctx: CallCtx & UnattendedCtx,
  claimed: Claimed,
  provider: ClaimedProvider,
  reason: Failure,
): Promise<void> {
  await unattended(ctx, [pauseProvider(ctx, provider, reason), holdWhilePaused(ctx, claimed)]);
}

function holdWhilePaused(ctx: CallCtx, claimed: Claimed): SQLWrapper {
  const until = claimed.since + MOST_AGE_MS;
  const paused = sql`EXISTS (SELECT 1 FROM ${messagingProviders}
    WHERE ${messagingProviders.id} = ${claimed.provider?.id ?? null} AND ${messagingProviders.pausedAt} IS NOT NULL)`;
  return mark(ctx, claimed, {
    ...RELEASED,
    claimUntil: sql`iif(${paused}, ${until}, ${ctx.now})`,
  });
}

/**
 * Ends an attempt at which its provider failed: the recipient is tried again in so many seconds, or failed for good where
 * `again` is null or it was tried too often. Gives when it is tried again, and until when the provider is left alone.
 */
export async function endFailedAttempt(
  ctx: CallCtx & UnattendedCtx,
  claimed: Claimed,
  { again, inDoubt, retryAfter }: { again: number | null; inDoubt: boolean; retryAfter: number },
): Promise<{ again: number | null; restsUntil: number | null }> {
  const { provider } = claimed;
  const doubtful = inDoubt || claimed.in_doubt === 1;
  const isLast = again === null || claimed.attempts + 1 >= MOST_ATTEMPTS;
  const results = await unattended(ctx, [
    isLast
      ? mark(ctx, claimed, failedColumns(doubtful ? UNKNOWN : EXHAUSTED, ctx))
      : mark(ctx, claimed, {
          ...RELEASED,
          claimUntil: ctx.now + again * 1_000 - SKEW_MS,
          ...(inDoubt ? { inDoubt: 1 } : {}),
        }),
    ...(provider === null ? [] : noteFailure(ctx, provider.id, retryAfter)),
  ]);
  const restsUntil = provider === null ? null : Number(results[2]?.rows[0]?.rests_until ?? 0);
  return { again: isLast ? null : again, restsUntil: restsUntil === 0 ? null : restsUntil };
}

/** Whole seconds until an instant, at least one. */
export function secondsUntil(ctx: ReadCtx, instant: number): number {
  return Math.max(1, Math.ceil((instant - ctx.now) / 1_000));
}

/** Only the run that claimed the row may mark it, and only while it is unmarked. */
function mark(ctx: CallCtx, { id }: Claimed, columns: RecipientChange): SQLWrapper {
  return ctx.db
    .update(messageRecipients)
    .set(columns)
    .where(and(eq(messageRecipients.id, id), isUnsent, eq(messageRecipients.claim, ctx.call.id)));
}

/** What a recipient that failed for good is set to. */
function failedColumns(reason: Failure, { now }: ReadCtx) {
  return { dispatchState: "dead", status: "failed", failedAt: now, error: JSON.stringify(reason) } as const;
}
