import { type SQL, sql } from "drizzle-orm";
import { SCOPES } from "#api/operations/scopes.ts";
import { apiKeys, companies } from "#tables/tenancy";
import type { ControlCtx } from "../context.ts";
import { hashSecret, newClientId, newClientSecret } from "./key-format.ts";
import type { KeyCreate } from "./schema.ts";

/** The limits of a key that none were given for, within the company's ceilings. */
const DEFAULTS = { rateLimitPerMinute: 600, messagingRatePerMinute: 30, messagingDailyCap: 1_000 };
type Limit = keyof typeof DEFAULTS;
type Ceiling = "rateLimitCeiling" | "messagingRateCeiling" | "messagingCapCeiling";

/** What the operator makes for a company: it can make every other key. */
export const ADMINISTRATOR: KeyCreate = { type: "secret", name: "Administrator", scopes: [...SCOPES] };

/** The statement that makes a key for `companyId` (a number, or SQL that finds it), with its id and secret. */
export async function insertKey(ctx: ControlCtx, companyId: number | SQL<number>, body: KeyCreate) {
  // A default, or what is lower: the company's ceiling, or the limit of a calling key that ends.
  const fitting = (limit: Limit, ceiling: Ceiling): SQL<number> =>
    sql`(SELECT min(${DEFAULTS[limit]}, ${companies[ceiling]}, coalesce(${ownOf(ctx, limit)}, ${DEFAULTS[limit]}))
      FROM ${companies} WHERE ${companies.id} = ${companyId})`;
  const clientId = newClientId(body.type);
  const secret = body.type === "secret" ? newClientSecret() : null;
  const secretHash = secret === null ? null : await hashSecret(secret);
  const statement = ctx.db.insert(apiKeys).values({
    companyId,
    clientId,
    type: body.type,
    name: body.name,
    scopes: JSON.stringify(body.scopes ?? []),
    allowedOrigins: JSON.stringify(body.allowed_origins ?? []),
    secretHash,
    secretLastFour: secret?.slice(-4) ?? null,
    rateLimitPerMinute: body.rate_limit_per_minute ?? fitting("rateLimitPerMinute", "rateLimitCeiling"),
    messagingRatePerMinute:
      body.messaging_rate_per_minute ?? fitting("messagingRatePerMinute", "messagingRateCeiling"),
    messagingDailyCap: body.messaging_daily_cap ?? fitting("messagingDailyCap", "messagingCapCeiling"),
    expiresAt: body.expires_at === undefined ? ownOf(ctx, "expiresAt") : body.expires_at,
    issuedBy: ctx.actor.type === "platform" ? ctx.call.idempotencyRecordKey : null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  return { statement, clientId, secret, secretHash };
}

/** A member of the calling key, where that key has an end. */
function ownOf(ctx: ControlCtx, column: Limit | "expiresAt"): SQL<number> {
  return sql`(SELECT ${apiKeys[column]} FROM ${apiKeys}
    WHERE ${apiKeys.clientId} = ${ctx.actor.id} AND ${apiKeys.expiresAt} IS NOT NULL)`;
}
