import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { CallCtx, ReadCtx, SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { leaveRoute } from "#core/write/setting-changes.ts";
import { type Failure, failure } from "#providers/delivery";
import { DAY_MS } from "#shared/time/durations.ts";
import { messageRecipients, messages, messagingProviders } from "#tables/messaging";
import { applyUnmatched, type Status, unlessTaken } from "../messages/status.ts";
import { activeProvider } from "../providers/active-provider.ts";
import { endPause, noteAnswer, noteFailure, pauseProvider } from "../providers/pause.ts";
import type { Leased, LeasedProvider } from "./lease.ts";
import { releaseHeld } from "./requeue.ts";
import { isUnsent } from "./unsent.ts";

type RecipientChange = SQLiteUpdateSetSource<typeof messageRecipients>;

// The queue and this clock may differ a little: a row is free somewhat before its job comes.
const SKEW_MS = 2_000;

// Without a lease, so that a late request of this run cannot take the row again.
const RELEASED = { dispatchState: "pending", lease: null } as const;

/** An older message is not sent any more: its code has expired, its meeting is over. */
export const MOST_AGE_MS = DAY_MS;

// Each time its provider answered that it is busy, or did not say what it did and sends a reference once.
const MOST_ATTEMPTS = 9;

/** The failure of a message whose provider may or may not have taken it. */
export const UNKNOWN = failure(
  "unknown",
  "The provider was asked, and did not say whether it sent the message",
);

const EXHAUSTED = failure("dispatch_exhausted", "The message could not be handed to its provider");

const HELD = failure("provider_auth", "It waits, because its provider refused the account");

export const EXPIRED = failure("expired", "The message waited for more than 24 hours");

/** Marks a recipient whose message its provider took, under `id` where it gave one, and applies the receipts that came first. */
export async function markAccepted(
  ctx: CallCtx & SystemWriteCtx,
  leased: Leased,
  id: string | null,
): Promise<void> {
  const { channel, kind, provider } = leased;
  const status = channel === "sms" ? "submitted" : "sent";
  await systemWrite(ctx, [
    mark(ctx, leased, { dispatchState: "dispatched", status, providerMessageId: unlessTaken(kind, id) }),
    ...(id === null ? [] : applyUnmatched(ctx, kind, id)),
    ...(provider === null
      ? []
      : [releaseHeld(ctx, provider.id), endPause(ctx, provider.id), noteAnswer(ctx, provider.id)]),
  ]);
}

/** Marks a recipient that gets no more attempts, or whose outcome is unknown. */
export async function markFailed(
  ctx: CallCtx & SystemWriteCtx,
  leased: Leased,
  reason: Failure,
  status: Status = "failed",
): Promise<void> {
  await systemWrite(ctx, [mark(ctx, leased, { ...failedColumns(reason, ctx), status })]);
}

/** The same, by an answer of its provider. */
export async function markRefused(
  ctx: CallCtx & SystemWriteCtx,
  leased: Leased,
  reason: Failure,
): Promise<void> {
  const { provider } = leased;
  const answered = provider === null ? [] : [noteAnswer(ctx, provider.id)];
  await systemWrite(ctx, [mark(ctx, leased, failedColumns(reason, ctx)), ...answered]);
}

/** Gives a notice that its former provider refused to the provider that is active now, to be sent at once. */
export async function leaveFormer(ctx: CallCtx & SystemWriteCtx, leased: Leased): Promise<void> {
  const { channel, message_id: message } = leased;
  const active = activeProvider(ctx, channel);
  await systemWrite(ctx, [
    ctx.db
      .update(messages)
      .set({ providerId: sql`(SELECT id FROM ${active})` })
      .where(eq(messages.id, message)),
    leaveRoute(message),
    ctx.db
      .update(messageRecipients)
      .set({ provider: sql`coalesce((SELECT kind FROM ${active}), ${messageRecipients.provider})` })
      .where(and(eq(messageRecipients.messageId, message), isUnsent)),
    mark(ctx, leased, { ...RELEASED, leasedUntil: ctx.now }),
  ]);
}

/** Lets a recipient wait until its paused provider resumes, or the message is too old. */
export async function defer(ctx: CallCtx & SystemWriteCtx, leased: Leased): Promise<void> {
  await systemWrite(ctx, [holdWhilePaused(ctx, leased)]);
}

/** Pauses a provider that refused its credentials, and lets the recipient wait; not where they were changed meanwhile. */
export async function pause(
  ctx: CallCtx & SystemWriteCtx,
  leased: Leased,
  provider: LeasedProvider,
  reason: Failure,
): Promise<void> {
  await systemWrite(ctx, [pauseProvider(ctx, provider, reason, leased.id), holdWhilePaused(ctx, leased)]);
}

function holdWhilePaused(ctx: CallCtx, leased: Leased): SQLWrapper {
  const until = leased.since + MOST_AGE_MS;
  const paused = sql`EXISTS (SELECT 1 FROM ${messagingProviders}
    WHERE ${messagingProviders.id} = ${leased.provider?.id ?? null} AND ${messagingProviders.pausedAt} IS NOT NULL)`;
  return mark(ctx, leased, {
    ...RELEASED,
    leasedUntil: sql`iif(${paused}, ${until}, ${ctx.now})`,
    error: sql`iif(${paused}, ${JSON.stringify(HELD)}, NULL)`,
  });
}

/**
 * Ends an attempt whose provider failed: the recipient is tried again after `again` seconds, or failed for good if
 * `again` is null or it was tried too often. Returns the time of the next try, and when the circuit breaker half-opens.
 */
export async function endFailedAttempt(
  ctx: CallCtx & SystemWriteCtx,
  leased: Leased,
  ended: { again: number | null; inDoubt: boolean; retryAfter: number; isOfRecipient?: true },
): Promise<{ again: number | null; restsUntil: number | null }> {
  const { provider } = leased;
  const { again, inDoubt, retryAfter, isOfRecipient = false } = ended;
  const doubtful = inDoubt || leased.in_doubt === 1;
  const isLast = again === null || leased.attempts + 1 >= MOST_ATTEMPTS;
  const results = await systemWrite(ctx, [
    isLast
      ? mark(ctx, leased, failedColumns(doubtful ? UNKNOWN : EXHAUSTED, ctx))
      : mark(ctx, leased, {
          ...RELEASED,
          leasedUntil: ctx.now + again * 1_000 - SKEW_MS,
          ...(inDoubt ? { inDoubt: 1 } : {}),
        }),
    ...(provider === null || isOfRecipient ? [] : noteFailure(ctx, provider.id, retryAfter)),
    ...(provider !== null && isOfRecipient ? [noteAnswer(ctx, provider.id)] : []),
  ]);
  const restsUntil = provider === null ? null : Number(results[2]?.rows[0]?.rests_until ?? 0);
  return { again: isLast ? null : again, restsUntil: restsUntil === 0 ? null : restsUntil };
}

/** Whole seconds until an instant, at least one. */
export function secondsUntil(ctx: ReadCtx, instant: number): number {
  return Math.max(1, Math.ceil((instant - ctx.now) / 1_000));
}

/** Only the run that leased the row may mark it, and only while it is unmarked. */
function mark(ctx: CallCtx, { id }: Leased, columns: RecipientChange): SQLWrapper {
  return ctx.db
    .update(messageRecipients)
    .set(columns)
    .where(and(eq(messageRecipients.id, id), isUnsent, eq(messageRecipients.lease, ctx.call.id)));
}

/** What a recipient that failed for good is set to. */
function failedColumns(reason: Failure, { now }: ReadCtx) {
  return { dispatchState: "dead", status: "failed", failedAt: now, error: JSON.stringify(reason) } as const;
}
