import { and, eq, gt, isNotNull, lte, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import type { Failure } from "#providers/delivery";
import { messageRecipients, messagingProviders as providers } from "#tables/messaging";
import { ERASED } from "../contacts/keyed-hashes.ts";

// Of one account at the same time. A Worker's call has six connections that wait for an answer
// (https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections): two stay for the database.
const SHARE = 4;
// After this many failures in a row the circuit breaker opens; then one recipient at a time tests the account.
const MOST_FAILURES = 5;
const FIRST_REST_MS = 15_000;
const MOST_REST_MS = 300_000;

/** How many of an account's recipients are sent to at the same time; one while its circuit breaker is half-open. */
export function mostAsked(carrier: SQL): SQL {
  return sql`iif(coalesce((SELECT ${providers.failures} FROM ${providers} WHERE ${providers.id} = ${carrier}), 0)
    >= ${MOST_FAILURES}, 1, ${SHARE})`;
}

/** Returns true while an account's circuit breaker is open. */
export function isResting(ctx: ReadCtx, carrier: SQL): SQL {
  return sql`coalesce((SELECT ${providers.restsUntil} FROM ${providers} WHERE ${providers.id} = ${carrier}), 0) > ${ctx.now}`;
}

/**
 * The statements after a provider failed: it was busy, or gave no clear answer. Failures of requests sent before the
 * circuit breaker opened do not prolong it. The last statement returns until when it is open.
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

/**
 * The statement that pauses a provider that refused its credentials, unless its configuration was changed meanwhile. Its
 * words are not kept where the recipient was erased since it was asked.
 */
export function pauseProvider(
  ctx: ReadCtx,
  { id, sealed_config }: { id: number; sealed_config: string },
  reason: Failure,
  recipient: number,
): SQLWrapper {
  const [told, wordless] = [reason.message, ERASED].map((message) =>
    JSON.stringify({ ...reason, message, at: ctx.now }),
  );
  const isErased = sql`EXISTS (SELECT 1 FROM ${messageRecipients}
    WHERE ${messageRecipients.id} = ${recipient} AND ${messageRecipients.address} = ${ERASED})`;
  return ctx.db
    .update(providers)
    .set({
      pausedAt: sql`coalesce(${providers.pausedAt}, ${ctx.now})`,
      lastError: sql`iif(${isErased}, ${wordless}, ${told})`,
    })
    .where(and(eq(providers.id, id), eq(providers.encryptedConfig, sealed_config)));
}

/** The statement that ends a pause: a provider that took a message knows the company's credentials. */
export function endPause(ctx: ReadCtx, id: number): SQLWrapper {
  return ctx.db
    .update(providers)
    .set({ lastError: null, pausedAt: null })
    .where(and(eq(providers.id, id), or(isNotNull(providers.lastError), isNotNull(providers.pausedAt))));
}
