import { type SQL, sql } from "drizzle-orm";
import type { Scope } from "#api/operations/scopes.ts";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { apiKeys, companies } from "#tables/tenancy";
import type { ControlCtx } from "../context.ts";
import type { KeyCreate, KeyPatch } from "./schema.ts";

/** What every publishable key may do; a test compares it with the operations that take one. */
export const PUBLISHABLE_RIGHTS: readonly Scope[] = ["bookings.read", "bookings.write"];

/** A SELECT of what keys have, as `rights`, `ends`, `rate`, `messaging_rate` and `messaging_cap`: a row for each. */
export type Standing = SQL;

/** What a key made with this body would have; defaults stay within the calling key's limits and end. */
export function newStanding(body: KeyCreate): Standing {
  const rights = body.type === "publishable" ? PUBLISHABLE_RIGHTS : (body.scopes ?? []);
  const ends = body.expires_at === undefined ? 0 : body.expires_at;
  return sql`SELECT ${JSON.stringify(rights)} AS rights, ${ends} AS ends, ${body.rate_limit_per_minute ?? 0} AS rate,
    ${body.messaging_rate_per_minute ?? 0} AS messaging_rate, ${body.messaging_daily_cap ?? 0} AS messaging_cap`;
}

/** What the stored key has and, where a patch is given, what it would have after it as a second row. */
export function storedStanding(here: SQL | undefined, patch?: KeyPatch): Standing {
  const row = (after: KeyPatch) => {
    const scopes = after.scopes === undefined ? sql`${apiKeys.scopes}` : sql`${JSON.stringify(after.scopes)}`;
    return sql`SELECT ${effective(scopes)} AS rights,
      ${after.expires_at === undefined ? sql`${apiKeys.expiresAt}` : sql`${after.expires_at}`} AS ends,
      ${after.rate_limit_per_minute ?? sql`${apiKeys.rateLimitPerMinute}`} AS rate,
      ${after.messaging_rate_per_minute ?? sql`${apiKeys.messagingRatePerMinute}`} AS messaging_rate,
      ${after.messaging_daily_cap ?? sql`${apiKeys.messagingDailyCap}`} AS messaging_cap
      FROM ${apiKeys} WHERE ${here}`;
  };
  return patch === undefined ? row({}) : sql`${row({})} UNION ALL ${row(patch)}`;
}

/**
 * The statement that aborts a write on a key that has, or gets, more than the calling key has; it comes before the
 * write.
 */
export function requireNoMore(ctx: ControlCtx, standing: Standing): SQL[] {
  if (ctx.actor.type === "platform") return [];
  const exceeds = sql`EXISTS (${missing(ctx, standing)}) OR EXISTS (${exceeding(ctx, standing)})`;
  return [refuseWhen(exceeds, "insufficient_scope")];
}

/** What the refusals of a write on a key mean: what the caller lacks, or the limit's ceiling. */
export function keyRefusals(ctx: ControlCtx, standing: Standing): Refusals {
  return {
    insufficient_scope: async () => {
      const [[lacking]] = await ctx.database.read([
        ctx.db
          .select({
            scope: sql<Scope | null>`(${missing(ctx, standing)} LIMIT 1)`,
            field: sql<string | null>`(${exceeding(ctx, standing)} LIMIT 1)`,
          })
          .from(sql`(SELECT 1)`),
      ]);
      return tooMuch(lacking?.scope ?? undefined, lacking?.field ?? "expires_at");
    },
    rate_limit_ceiling: () => aboveCeiling(ctx, "rate_limit_per_minute", companies.rateLimitCeiling),
    messaging_rate_ceiling: () =>
      aboveCeiling(ctx, "messaging_rate_per_minute", companies.messagingRateCeiling),
    messaging_cap_ceiling: () => aboveCeiling(ctx, "messaging_daily_cap", companies.messagingCapCeiling),
  };
}

/** The statement that aborts the making of a key where the company has as many that work as it may; an operator's may be one more. */
export function requireRoom(ctx: ControlCtx): SQL[] {
  return [refuseWhen(isFull(ctx), "limit_reached")];
}

/** The same before a change of a key's end, by which one that has ended would work again. */
export function requireRoomAgain(
  ctx: ControlCtx,
  here: SQL | undefined,
  ends: KeyPatch["expires_at"],
): SQL[] {
  if (ends === undefined || (ends !== null && ends <= ctx.now)) return [];
  const hasEnded = sql`EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${here} AND ${apiKeys.expiresAt} <= ${ctx.now})`;
  return [refuseWhen(sql`${hasEnded} AND ${isFull(ctx)}`, "limit_reached")];
}

function isFull(ctx: ControlCtx): SQL {
  if (ctx.actor.type === "platform") return sql`0`;
  const working = sql`SELECT count(*) FROM ${apiKeys} WHERE ${apiKeys.companyId} = ${ctx.company.id}
    AND ${apiKeys.revokedAt} IS NULL AND (${apiKeys.expiresAt} IS NULL OR ${apiKeys.expiresAt} > ${ctx.now})`;
  return sql`coalesce((${working}) >= (${mostKeys(ctx)}), 0)`;
}

/** The 409 of a company that has as many keys as it may. */
export async function noRoom(ctx: ControlCtx): Promise<Problem> {
  const [[found]] = await ctx.database.read([
    ctx.db.select({ most: sql<number | null>`(${mostKeys(ctx)})` }).from(sql`(SELECT 1)`),
  ]);
  return new Problem("limit_reached", {
    message: `The company may have ${found?.most} keys: revoke one that is not needed`,
    members: { limit: found?.most },
  });
}

function mostKeys(ctx: ControlCtx): SQL {
  return sql`SELECT ${companies.keysCeiling} FROM ${companies} WHERE ${companies.id} = ${ctx.company.id}`;
}

function tooMuch(scope: Scope | undefined, field: string): Problem {
  if (scope !== undefined) {
    return new Problem("insufficient_scope", {
      message: `A key gives no right, and changes no key with a right, that it lacks itself: ${scope}`,
      members: { required_scope: scope },
    });
  }
  const message = "is above that of the calling key, which ends itself";
  return new Problem("above_own_key", { errors: [{ field, code: "above_own_key", message }] });
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

/** The rights among those of `standing` that the calling key lacks. */
function missing(ctx: ControlCtx, standing: Standing): SQL {
  return sql`SELECT value FROM (${standing}), json_each(rights) WHERE value NOT IN (SELECT value FROM json_each(
    (SELECT ${apiKeys.scopes} FROM ${apiKeys} WHERE ${calling(ctx)} AND ${apiKeys.revokedAt} IS NULL)))`;
}

/** The fields in which `standing` exceeds a calling key that ends; a key without an end is not limited. */
function exceeding(ctx: ControlCtx, standing: Standing): SQL {
  const own = sql`SELECT ${apiKeys.expiresAt} AS own_ends, ${apiKeys.rateLimitPerMinute} AS own_rate,
    ${apiKeys.messagingRatePerMinute} AS own_messaging_rate, ${apiKeys.messagingDailyCap} AS own_messaging_cap
    FROM ${apiKeys} WHERE ${calling(ctx)} AND ${apiKeys.expiresAt} IS NOT NULL`;
  return sql`SELECT field FROM (SELECT CASE
      WHEN ends IS NULL OR ends > own_ends THEN 'expires_at'
      WHEN rate > own_rate THEN 'rate_limit_per_minute'
      WHEN messaging_rate > own_messaging_rate THEN 'messaging_rate_per_minute'
      WHEN messaging_cap > own_messaging_cap THEN 'messaging_daily_cap'
    END AS field FROM (${standing}), (${own})) WHERE field IS NOT NULL`;
}

function calling(ctx: ControlCtx): SQL {
  return sql`${apiKeys.clientId} = ${ctx.actor.id}`;
}
