import { and, eq, isNotNull, or, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import type { Failure } from "#providers/delivery";
import { messagingProviders as providers } from "./tables.ts";

/** The statement that pauses a provider that refused its credentials, unless its configuration was changed meanwhile. */
export function pauseProvider(
  ctx: ReadCtx,
  { id, sealed_config }: { id: number; sealed_config: string },
  reason: Failure,
): SQLWrapper {
  return ctx.db
    .update(providers)
    .set({
      pausedAt: sql`coalesce(${providers.pausedAt}, ${ctx.now})`,
      lastError: JSON.stringify({ ...reason, at: ctx.now }),
    })
    .where(and(eq(providers.id, id), eq(providers.sealedConfig, sealed_config)));
}

/** The statement that ends a pause: a provider that took a message knows the company's credentials. */
export function endPause(ctx: ReadCtx, id: number): SQLWrapper {
  return ctx.db
    .update(providers)
    .set({ lastError: null, pausedAt: null })
    .where(and(eq(providers.id, id), or(isNotNull(providers.lastError), isNotNull(providers.pausedAt))));
}
