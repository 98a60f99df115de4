import { type SQL, sql } from "drizzle-orm";
import type { Scope } from "#contract/scopes.ts";
import { type Refusals, refuseWhen } from "#platform/atomic.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import type { ControlCtx } from "./plane.ts";
import type { KeyPatch } from "./schema.ts";
import { apiKeys, companies } from "./tables.ts";

/** What every publishable key may do; a test holds it against the operations that take one. */
export const PUBLISHABLE_RIGHTS: readonly Scope[] = ["bookings.read", "bookings.write"];

/** A SELECT of the scopes, as `value`, that a write gives to whoever holds the key. */
export type Given = SQL<{ value: Scope }>;

/** The rights of a key of this type with these scopes. */
export function rightsOf(type: "secret" | "publishable", scopes: readonly Scope[] = []): Given {
  return sql`SELECT value FROM json_each(${JSON.stringify(type === "publishable" ? PUBLISHABLE_RIGHTS : scopes)})`;
}

/** All rights of the stored key. */
export function storedRights(here: SQL | undefined): Given {
  return sql`SELECT value FROM (SELECT ${effective(sql`${apiKeys.scopes}`)} AS rights FROM ${apiKeys} WHERE ${here}), json_each(rights)`;
}

/**
 * The rights that a change gives: scopes that the key lacks, and all of a key's where it shall live longer or, in a
 * browser, work from a further origin.
 */
export function gainedRights(here: SQL | undefined, patch: KeyPatch): Given {
  const wanted = patch.scopes === undefined ? sql`${apiKeys.scopes}` : sql`${JSON.stringify(patch.scopes)}`;
  const lives =
    patch.expires_at === undefined
      ? sql`0`
      : sql`${apiKeys.expiresAt} IS NOT NULL AND coalesce(${patch.expires_at} > ${apiKeys.expiresAt}, 1)`;
  const spreads = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(patch.allowed_origins ?? [])})
    WHERE value NOT IN (SELECT value FROM json_each(${apiKeys.allowedOrigins})))`;
  const before = sql`CASE WHEN (${lives}) OR ${spreads} THEN '[]' ELSE ${effective(sql`${apiKeys.scopes}`)} END`;
  return sql`SELECT value FROM
    (SELECT ${effective(wanted)} AS rights, ${before} AS had FROM ${apiKeys} WHERE ${here}), json_each(rights)
    WHERE value NOT IN (SELECT value FROM json_each(had))`;
}

/** The statement that aborts a write which gives rights that the calling key does not hold itself; it stands before it. */
export function requireHeld(ctx: ControlCtx, given: Given): SQL[] {
  if (ctx.actor.type === "platform") return [];
  return [refuseWhen(sql`EXISTS (${missing(ctx, given)})`, "insufficient_scope")];
}

/** What the refusals of a write on a key mean: the scope that the caller lacks, or the limit's ceiling. */
export function keyRefusals(ctx: ControlCtx, given: Given): Refusals {
  return {
    insufficient_scope: async () => {
      const [[lacking]] = await ctx.database.read([
        ctx.db.select({ scope: sql<Scope | null>`(${missing(ctx, given)} LIMIT 1)` }).from(sql`(SELECT 1)`),
      ]);
      return new Problem("insufficient_scope", {
        message: `A key gives no right that it lacks itself: ${lacking?.scope}`,
        members: { required_scope: lacking?.scope },
      });
    },
    rate_limit_ceiling: () => aboveCeiling(ctx, "rate_limit_per_minute", companies.rateLimitCeiling),
    messaging_rate_ceiling: () =>
      aboveCeiling(ctx, "messaging_rate_per_minute", companies.messagingRateCeiling),
    messaging_cap_ceiling: () => aboveCeiling(ctx, "messaging_daily_cap", companies.messagingCapCeiling),
  };
}

type Ceiling =
  | typeof companies.rateLimitCeiling
  | typeof companies.messagingRateCeiling
  | typeof companies.messagingCapCeiling;

async function aboveCeiling(ctx: ControlCtx, field: string, column: Ceiling): Promise<Problem> {
  const select = ctx.db
    .select({ most: column })
    .from(companies)
    .where(sql`${companies.id} = ${ctx.company.id}`);
  const [[found]] = await ctx.database.read([select]);
  return fieldProblem(field, "too_big", `must be at most ${found?.most}, this company's ceiling`);
}

function effective(scopes: SQL): SQL {
  return sql`CASE ${apiKeys.type} WHEN 'publishable' THEN ${JSON.stringify(PUBLISHABLE_RIGHTS)} ELSE ${scopes} END`;
}

function missing(ctx: ControlCtx, given: Given): SQL {
  return sql`SELECT value FROM (${given}) WHERE value NOT IN (SELECT value FROM json_each(
    (SELECT ${apiKeys.scopes} FROM ${apiKeys} WHERE ${apiKeys.clientId} = ${ctx.actor.id} AND ${apiKeys.revokedAt} IS NULL)))`;
}
