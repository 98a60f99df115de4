import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { type Failure, failure } from "#providers/delivery";
import { applyUnmatched } from "../status.ts";
import { messageRecipients, messagingProviders } from "../tables.ts";
import { releaseHeld } from "./chores.ts";
import type { Claimed, ClaimedProvider } from "./claim.ts";

// The queue and this clock may differ a little: a row is free somewhat before its job comes.
const SKEW_MS = 2_000;

/** What is older was overtaken by events: a code that has expired, a meeting that is over. */
export const MOST_AGE_MS = 24 * 3_600_000;

/** What is said of a message that its provider may have, or may not. */
export const UNKNOWN = failure(
  "unknown",
  "The provider was asked, and did not say whether it sent the message",
);
const EXHAUSTED = failure("dispatch_exhausted", "The message could not be handed to its provider");

/** The provider has it, under this id where it gave one; what it told of the id meanwhile is applied. */
export async function markAccepted(ctx: Ctx, claimed: Claimed, id: string | null): Promise<void> {
  const { channel, kind, provider } = claimed;
  const status = channel === "sms" ? "submitted" : "sent";
  const taken = sql`EXISTS (SELECT 1 FROM ${messageRecipients} WHERE provider_message_id = ${id} AND provider = ${kind})`;
  await ctx.database.write([
    mark(
      ctx,
      claimed,
      sql`dispatch_state = 'dispatched', status = ${status},
      provider_message_id = iif(${taken}, NULL, ${id})`,
    ),
    ...(id === null ? [] : applyUnmatched(kind, id)),
    ...(provider === null ? [] : [releaseHeld(ctx, provider.id), noteHealth(provider.id)]),
  ]);
}

/** It will never be sent, or nobody knows whether it was. */
export async function markFailed(ctx: Ctx, claimed: Claimed, reason: Failure): Promise<void> {
  await ctx.database.write([mark(ctx, claimed, failedColumns(ctx, sql`${JSON.stringify(reason)}`))]);
}

/** It waits with all else of its provider, until that goes on or the message is too old. */
export async function hold(ctx: Ctx, claimed: Claimed): Promise<void> {
  await ctx.database.write([holdWhilePaused(ctx, claimed)]);
}

/** The provider sends nothing more until its configuration is changed; where it was changed meanwhile, it goes on. */
export async function pause(
  ctx: Ctx,
  claimed: Claimed,
  { id, sealed_config }: ClaimedProvider,
  reason: Failure,
): Promise<void> {
  const error = JSON.stringify({ ...reason, at: ctx.now });
  await ctx.database.write([
    sql`UPDATE ${messagingProviders} SET paused_at = coalesce(paused_at, ${ctx.now}), last_error = ${error}
      WHERE id = ${id} AND sealed_config = ${sealed_config}`,
    holdWhilePaused(ctx, claimed),
  ]);
}

function holdWhilePaused(ctx: Ctx, claimed: Claimed): SQL {
  const until = claimed.created_at + MOST_AGE_MS;
  const paused = sql`EXISTS (SELECT 1 FROM ${messagingProviders}
    WHERE id = ${claimed.provider?.id ?? null} AND paused_at IS NOT NULL)`;
  return mark(
    ctx,
    claimed,
    sql`dispatch_state = 'pending', claim_until = iif(${paused}, ${until}, ${ctx.now})`,
  );
}

/** Not sent, to be tried again in so many seconds. */
export async function release(ctx: Ctx, claimed: Claimed, seconds: number, inDoubt: boolean): Promise<void> {
  const until = ctx.now + seconds * 1_000 - SKEW_MS;
  await ctx.database.write([
    mark(
      ctx,
      claimed,
      sql`dispatch_state = 'pending', claim_until = ${until}, in_doubt = in_doubt OR ${Number(inDoubt)}`,
    ),
  ]);
}

/**
 * Ends a recipient that was tried too often. Gives the seconds after which to look again where somebody still holds it.
 */
export async function buryRecipient(ctx: Ctx, recipient: number): Promise<number | undefined> {
  const reason = sql`iif(in_doubt OR dispatch_state = 'dispatching', ${JSON.stringify(UNKNOWN)}, ${JSON.stringify(EXHAUSTED)})`;
  const open = sql`id = ${recipient} AND dispatch_state IN ('pending', 'dispatching')`;
  const results = await ctx.database.write([
    sql`UPDATE ${messageRecipients} SET ${failedColumns(ctx, reason)} WHERE ${open} AND claim_until <= ${ctx.now}`,
    sql`SELECT claim_until FROM ${messageRecipients} WHERE ${open}`,
  ]);
  const heldUntil = results[1]?.rows[0]?.claim_until;
  return heldUntil === undefined ? undefined : secondsUntil(ctx, Number(heldUntil));
}

/** Whole seconds until an instant, at least one. */
export function secondsUntil(ctx: Ctx, instant: number): number {
  return Math.max(1, Math.ceil((instant - ctx.now) / 1_000));
}

/** Only the run that claimed the row may mark it, and only while it is unmarked. */
function mark(ctx: Ctx, { id }: Claimed, columns: SQL): SQL {
  return sql`UPDATE ${messageRecipients} SET ${columns}
    WHERE id = ${id} AND dispatch_state = 'dispatching' AND claim IS ${ctx.operation.id}`;
}

function failedColumns(ctx: Ctx, reason: SQL): SQL {
  return sql`dispatch_state = 'dead', status = 'failed', failed_at = ${ctx.now}, error = ${reason}`;
}

/** A provider that took a message knows the company's credentials. */
function noteHealth(id: number): SQL {
  return sql`UPDATE ${messagingProviders} SET last_error = NULL, paused_at = NULL
    WHERE id = ${id} AND (last_error IS NOT NULL OR paused_at IS NOT NULL)`;
}
