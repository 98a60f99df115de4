import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import type { Failure } from "#providers/delivery";
import { STUCK_MS } from "../messages/requeue-stuck.ts";
import { messageRecipients, messages } from "../messages/tables.ts";
import { messagingProviders } from "./tables.ts";

/** The statement that pauses a provider that refused its credentials, unless its configuration was changed meanwhile. */
export function pauseProvider(
  ctx: ReadCtx,
  { id, sealed_config }: { id: number; sealed_config: string },
  reason: Failure,
): SQL {
  const error = JSON.stringify({ ...reason, at: ctx.now });
  return sql`UPDATE ${messagingProviders} SET paused_at = coalesce(paused_at, ${ctx.now}), last_error = ${error}
    WHERE id = ${id} AND sealed_config = ${sealed_config}`;
}

/** The statement that releases the recipients that wait for a paused provider; it runs before the one that ends the pause. */
export function releaseHeld(ctx: ReadCtx, provider: number): SQL {
  return sql`UPDATE ${messageRecipients} SET claim_until = min(claim_until, ${ctx.now - STUCK_MS})
    WHERE dispatch_state = 'pending'
      AND (SELECT provider_id FROM ${messages} WHERE ${messages.id} = message_id) = ${provider}
      AND EXISTS (SELECT 1 FROM ${messagingProviders} WHERE id = ${provider} AND paused_at IS NOT NULL)`;
}

/** The statement that ends a pause: a provider that took a message knows the company's credentials. */
export function endPause(id: number): SQL {
  return sql`UPDATE ${messagingProviders} SET last_error = NULL, paused_at = NULL
    WHERE id = ${id} AND (last_error IS NOT NULL OR paused_at IS NOT NULL)`;
}
