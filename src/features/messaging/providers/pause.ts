import { and, eq, gt, isNotNull, lte, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#platform/context.ts";
import type { Failure } from "#providers/delivery";
import { messagingProviders as providers } from "./tables.ts";

// Of one account at the same time. A Worker's call has six connections that wait for an answer
// (https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections): two stay for the database.
const SHARE = 4;
// So many failures in succession, and an account is left alone; then one recipient at a time finds out.
const MOST_FAILURES = 5;
const FIRST_REST_MS = 15_000;
const MOST_REST_MS = 300_000;

/** How many of an account's recipients are asked for at the same time; one after it was left alone. */
export function mostAsked(carrier: SQL): SQL {
  return sql`iif(coalesce((SELECT ${providers.failures} FROM ${providers} WHERE ${providers.id} = ${carrier}), 0)
    >= ${MOST_FAILURES}, 1, ${SHARE})`;
}

/** Whether an account is left alone now. */
export function isResting(ctx: ReadCtx, carrier: SQL): SQL {
  return sql`coalesce((SELECT ${providers.restsUntil} FROM ${providers} WHERE ${providers.id} = ${carrier}), 0) > ${ctx.now}`;
}

/**
 * The statements after a provider that failed: busy, or without an answer that says anything. Failures that were asked for
 * before it was left alone prolong nothing. The last one tells until when it is.
 */
export function noteFailure(ctx: ReadCtx, id: number, retryAfter: number): SQLWrapper[] {
  const { failures, restsUntil } = providers;
  const rest = sql`max(min(${FIRST_REST_MS} << min(${failures} + 1 - ${MOST_FAILURES}, 10), ${MOST_REST_MS}),
    ${Math.min(retryAfter * 1_000, MOST_REST_MS)})`;
  return [
    ctx.db
      .update(providers)
      .set({
        failures: sql`${failures} + 1`,
        restsUntil: sql`iif(${failures} + 1 >= ${MOST_FAILURES}, ${ctx.now} + ${rest}, NULL)`,
      })
      .where(and(eq(providers.id, id), lte(sql`coalesce(${restsUntil}, 0)`, ctx.now))),
    ctx.db.select({ restsUntil }).from(providers).where(eq(providers.id, id)),
  ];
}

/** The statement after an answer that was one, be it a refusal: the provider works. */
export function noteAnswer(ctx: ReadCtx, id: number): SQLWrapper {
  return ctx.db
    .update(providers)
    .set({ failures: 0, restsUntil: null })
    .where(and(eq(providers.id, id), gt(providers.failures, 0)));
}

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
