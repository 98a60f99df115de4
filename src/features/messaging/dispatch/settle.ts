import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { type Failure, failure } from "#providers/delivery";
import { applyUnmatched } from "../status.ts";
import { messageRecipients, messagingProviders } from "../tables.ts";
import type { Claimed } from "./claim.ts";

// The queue and this clock may differ a little: a row is free somewhat before its job comes.
const SKEW_MS = 2_000;

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
    ...(provider === null ? [] : [noteHealth(provider.id, null)]),
  ]);
}

/** It will never be sent, or nobody knows whether it was. */
export async function markFailed(ctx: Ctx, claimed: Claimed, reason: Failure): Promise<void> {
  const { provider } = claimed;
  const unhealthy = reason.code === "provider_auth" && provider !== null;
  await ctx.database.write([
    mark(ctx, claimed, failedColumns(ctx, sql`${JSON.stringify(reason)}`)),
    ...(unhealthy ? [noteHealth(provider.id, { ...reason, at: ctx.now })] : []),
  ]);
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

/** The last refusal of a provider's credentials, until it takes a message again. */
function noteHealth(id: number, error: object | null): SQL {
  const text = error === null ? null : JSON.stringify(error);
  return sql`UPDATE ${messagingProviders} SET last_error = ${text} WHERE id = ${id} AND last_error IS NOT ${text}`;
}
