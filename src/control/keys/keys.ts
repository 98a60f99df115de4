import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { SCOPES, type Scope } from "#contract/scopes.ts";
import { type JsonRow, jsonObject } from "#platform/sql/json.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import { read } from "#platform/write/operation-memory.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
import { apiKeys, companies } from "../tables.ts";
import { openSecret, sealSecret } from "./issued-secret.ts";
import { hashSecret, newClientId, newClientSecret } from "./key-format.ts";
import { requireOrigins } from "./origins.ts";
import { keyRefusals, newStanding, requireNoMore, requireSuccessor, storedStanding } from "./rights.ts";
import type { KeyCreate, KeyParams, KeyPatch, KeyRotate } from "./schema.ts";

const LAST_OF_ALL = "No other key of this company holds every scope: make one before this one is revoked";
const DEFAULTS = { rateLimitPerMinute: 600, messagingRatePerMinute: 30, messagingDailyCap: 1_000 };
type Limit = keyof typeof DEFAULTS;
type Ceiling = "rateLimitCeiling" | "messagingRateCeiling" | "messagingCapCeiling";

/** What the operator makes for a company: it can make every other key. */
export const ADMINISTRATOR: KeyCreate = { type: "secret", name: "Administrator", scopes: [...SCOPES] };

const keyShape = {
  id: apiKeys.clientId,
  type: apiKeys.type,
  name: apiKeys.name,
  scopes: sql<Scope[]>`json(${apiKeys.scopes})`,
  allowed_origins: sql<string[]>`json(${apiKeys.allowedOrigins})`,
  secret_last_four: apiKeys.secretLastFour,
  previous_secret_expires_at: apiKeys.previousSecretExpiresAt,
  rate_limit_per_minute: apiKeys.rateLimitPerMinute,
  messaging_rate_per_minute: apiKeys.messagingRatePerMinute,
  messaging_daily_cap: apiKeys.messagingDailyCap,
  expires_at: apiKeys.expiresAt,
  last_used_at: apiKeys.lastUsedAt,
  created_at: apiKeys.createdAt,
  updated_at: apiKeys.updatedAt,
};
export type KeyRow = JsonRow<typeof keyShape>;
/** A key row with its fresh secret: sealed, because the row is kept for a day to answer retries. */
export type IssuedKeyRow = KeyRow & { company?: string; sealed_secret?: string | null };

/** The live keys of the company, oldest first. */
export async function listKeys(ctx: ControlCtx): Promise<KeyRow[]> {
  const where = and(eq(apiKeys.companyId, ctx.company.id), isNull(apiKeys.revokedAt));
  const select = sql<KeyRow>`SELECT ${jsonObject(keyShape)} AS snapshot FROM ${apiKeys} WHERE ${where} ORDER BY ${apiKeys.id}`;
  return readAll(ctx, select);
}

/** Makes a key; the answer alone shows its secret. */
export async function createKey(ctx: ControlCtx, _params: unknown, body: KeyCreate): Promise<IssuedKeyRow> {
  requireFittingRights(body.type, body);
  await requireOrigins(body.type, body.allowed_origins ?? []);
  const { statement, clientId, secret } = await insertKey(ctx, ctx.company.id, body);
  const standing = newStanding(body);
  const row = await atomic(
    ctx,
    [...requireNoMore(ctx, standing), statement],
    await issuedSnapshot(ctx, clientId, secret),
    keyRefusals(ctx, standing),
  );
  forgetCompany(ctx.company.slug);
  return row;
}

/** Changes a key's name, rights or limits; the type and the secret stay. */
export async function updateKey(ctx: ControlCtx, params: KeyParams, patch: KeyPatch): Promise<KeyRow> {
  const here = liveKey(ctx, params.client_id);
  const [[stored]] = await read(ctx, [ctx.db.select({ type: apiKeys.type }).from(apiKeys).where(here)]);
  if (stored === undefined) throw new Problem("not_found");
  requireFittingRights(stored.type, patch);
  await requireOrigins(stored.type, patch.allowed_origins);
  const standing = storedStanding(here, patch);
  const row = await atomic(
    ctx,
    [
      ...requireNoMore(ctx, standing),
      ctx.db
        .update(apiKeys)
        .set({
          name: patch.name,
          scopes: patch.scopes && JSON.stringify(patch.scopes),
          allowedOrigins: patch.allowed_origins && JSON.stringify(patch.allowed_origins),
          rateLimitPerMinute: patch.rate_limit_per_minute,
          messagingRatePerMinute: patch.messaging_rate_per_minute,
          messagingDailyCap: patch.messaging_daily_cap,
          expiresAt: patch.expires_at,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    snapshotOf(here),
    keyRefusals(ctx, standing),
  );
  forgetCompany(ctx.company.slug);
  return row;
}

/** Gives a secret key a new secret; the old one works on for the overlap, in seconds. */
export async function rotateKey(ctx: ControlCtx, params: KeyParams, body: KeyRotate): Promise<IssuedKeyRow> {
  const secret = newClientSecret();
  const here = and(liveKey(ctx, params.client_id), eq(apiKeys.type, "secret"));
  const standing = storedStanding(here);
  const row = await atomic(
    ctx,
    [
      ...requireNoMore(ctx, standing),
      ctx.db
        .update(apiKeys)
        .set({
          previousSecretHash: sql`${apiKeys.secretHash}`,
          previousSecretExpiresAt: ctx.now + body.overlap_seconds * 1_000,
          secretHash: await hashSecret(secret),
          secretLastFour: secret.slice(-4),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    await issuedSnapshot(ctx, params.client_id, secret),
    keyRefusals(ctx, standing),
  );
  forgetCompany(ctx.company.slug);
  return row;
}

/** Ends a key: at once in this isolate, within 10 s everywhere. */
export async function revokeKey(ctx: ControlCtx, params: KeyParams): Promise<{ id: string }> {
  if (params.client_id === ctx.actor.id) {
    throw new Problem("conflict", {
      message: "A key cannot revoke itself: use another key with keys:write",
    });
  }
  const here = liveKey(ctx, params.client_id);
  const row = await atomic(
    ctx,
    [
      requireSuccessor(ctx, here),
      ctx.db.update(apiKeys).set({ revokedAt: ctx.now, updatedAt: ctx.now }).where(here),
      refuseIfNone("not_found"),
    ],
    sql<{ id: string }>`SELECT json_object('id', ${params.client_id})`,
    { conflict: () => new Problem("conflict", { message: LAST_OF_ALL }) },
  );
  forgetCompany(ctx.company.slug);
  return row;
}

/** The statement that makes a key for `companyId` (a number, or SQL that finds it), with its id and secret. */
export async function insertKey(ctx: ControlCtx, companyId: number | SQL<number>, body: KeyCreate) {
  // A default, or what is lower: the company's ceiling, or the limit of a calling key that ends.
  const fitting = (limit: Limit, ceiling: Ceiling): SQL<number> =>
    sql`(SELECT min(${DEFAULTS[limit]}, ${companies[ceiling]}, coalesce(${ownOf(ctx, limit)}, ${DEFAULTS[limit]}))
      FROM ${companies} WHERE ${companies.id} = ${companyId})`;
  const clientId = newClientId(body.type);
  const secret = body.type === "secret" ? newClientSecret() : null;
  const statement = ctx.db.insert(apiKeys).values({
    companyId,
    clientId,
    type: body.type,
    name: body.name,
    scopes: JSON.stringify(body.scopes ?? []),
    allowedOrigins: JSON.stringify(body.allowed_origins ?? []),
    secretHash: secret && (await hashSecret(secret)),
    secretLastFour: secret?.slice(-4) ?? null,
    rateLimitPerMinute: body.rate_limit_per_minute ?? fitting("rateLimitPerMinute", "rateLimitCeiling"),
    messagingRatePerMinute:
      body.messaging_rate_per_minute ?? fitting("messagingRatePerMinute", "messagingRateCeiling"),
    messagingDailyCap: body.messaging_daily_cap ?? fitting("messagingDailyCap", "messagingCapCeiling"),
    expiresAt: body.expires_at === undefined ? ownOf(ctx, "expiresAt") : body.expires_at,
    issuedBy: ctx.actor.type === "platform" ? ctx.operation.scope : null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  return { statement, clientId, secret };
}

/** A member of the calling key, where that key has an end. */
function ownOf(ctx: ControlCtx, column: Limit | "expiresAt"): SQL<number> {
  return sql`(SELECT ${apiKeys[column]} FROM ${apiKeys}
    WHERE ${apiKeys.clientId} = ${ctx.actor.id} AND ${apiKeys.expiresAt} IS NOT NULL)`;
}

export function renderKey(row: KeyRow) {
  const { id, secret_last_four: lastFour, ...rest } = row;
  return {
    ...rest,
    client_id: id,
    secret: lastFour === null ? null : { configured: true, last_four: lastFour },
    previous_secret_expires_at: timestampOrNull(row.previous_secret_expires_at),
    expires_at: timestampOrNull(row.expires_at),
    last_used_at: timestampOrNull(row.last_used_at),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

export async function renderIssuedKey(issued: IssuedKeyRow, ctx: ControlCtx) {
  const { company = ctx.company.slug, sealed_secret: sealed, ...row } = issued;
  return { ...renderKey(row), client_secret: await openSecret(ctx, company, row.id, sealed) };
}

type Rights = Pick<KeyCreate, "scopes" | "allowed_origins">;

function requireFittingRights(type: KeyCreate["type"], body: Rights): void {
  if (type === "secret" && body.allowed_origins?.length) {
    throw fieldProblem("allowed_origins", "not_applicable", "is for publishable keys only");
  }
  if (type === "publishable" && body.scopes?.length) {
    throw fieldProblem(
      "scopes",
      "not_applicable",
      "is for secret keys only: a publishable key's rights are fixed",
    );
  }
}

function liveKey(ctx: ControlCtx, clientId: string) {
  return and(
    eq(apiKeys.companyId, ctx.company.id),
    eq(apiKeys.clientId, clientId),
    isNull(apiKeys.revokedAt),
  );
}

function snapshotOf(where: SQL | undefined): SQL<KeyRow> {
  return sql<KeyRow>`SELECT ${jsonObject(keyShape)} FROM ${apiKeys} WHERE ${where}`;
}

async function issuedSnapshot(
  ctx: ControlCtx,
  clientId: string,
  secret: string | null,
): Promise<SQL<IssuedKeyRow>> {
  const { slug } = ctx.company;
  const sealed = await sealSecret(ctx, slug, clientId, secret);
  return sql`SELECT json_set(${jsonObject(keyShape)}, '$.company', ${slug}, '$.sealed_secret', ${sealed})
    FROM ${apiKeys} WHERE ${liveKey(ctx, clientId)}`;
}
