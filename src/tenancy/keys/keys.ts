import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { readAll } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { apiKeys, companies } from "#tables/tenancy";
import { keyCopies } from "#tables/tenancy/own-database";
import { finished } from "#tenancy/companies/companies.ts";
import type { CompanyParams } from "#tenancy/companies/schema.ts";
import { putKeys } from "#tenancy/registry-backup/copy-rows.ts";
import { type CopiedWrite, withCopy } from "#tenancy/registry-backup/with-copy.ts";
import type { ControlCtx } from "../context.ts";
import { ADMINISTRATOR, insertKey } from "./insert-key.ts";
import { encryptSecret } from "./issued-secret.ts";
import { liveCopy, newCopy, takesAway } from "./key-copy.ts";
import { hashSecret, newClientSecret } from "./key-format.ts";
import { type IssuedKeyRow, type KeyRow, key } from "./record.ts";
import { requireOrigins } from "./require-own-hosts.ts";
import {
  keyRefusals,
  newStanding,
  noRoom,
  requireNoMore,
  requireRoom,
  requireRoomAgain,
  storedStanding,
} from "./rights.ts";
import type { KeyCreate, KeyParams, KeyPatch, KeyRotate } from "./schema.ts";

/** The live keys of the company, oldest first. */
export async function listKeys(ctx: ControlCtx): Promise<KeyRow[]> {
  const live = and(eq(apiKeys.companyId, ctx.company.id), isNull(apiKeys.revokedAt));
  return readAll(ctx, key.select(sql`${live} ORDER BY ${apiKeys.id}`));
}

/** Makes a key; the answer alone shows its secret. */
export async function createKey(ctx: ControlCtx, _params: unknown, body: KeyCreate): Promise<IssuedKeyRow> {
  requireFittingRights(body.type, body);
  if (body.expires_at != null && body.expires_at <= ctx.now)
    throw fieldProblem("expires_at", "invalid_value", "must lie ahead");
  await requireOrigins(body.type, body.allowed_origins ?? []);
  const { statement, clientId, secret, secretHash } = await insertKey(ctx, ctx.company.id, body);
  const standing = newStanding(body);
  const snapshot = await issuedSnapshot(ctx, clientId, secret);
  return withCopy<IssuedKeyRow>(ctx, {
    slug: ctx.company.slug,
    takesAway: false,
    copy: (made) => (made === undefined ? [] : putKeys([newCopy(made, secretHash)])),
    write: () =>
      atomic(ctx, [...requireNoMore(ctx, standing), ...requireRoom(ctx), statement], snapshot, {
        ...keyRefusals(ctx, standing),
        limit_reached: () => noRoom(ctx),
      }),
  });
}

/** Makes a key of every scope for a company that lost its own; the keys it has stay. */
export async function createAdminKey(ctx: ControlCtx, { slug }: CompanyParams): Promise<IssuedKeyRow> {
  const [[found]] = await read(ctx, [
    ctx.db.select({ id: companies.id }).from(companies).where(finished(slug)),
  ]);
  if (found === undefined) throw new Problem("company_not_found");
  const company = { ...ctx.company, id: found.id, slug };
  const call = { ...ctx.call, auditPrefix: `${slug}/` };
  return createKey({ ...ctx, company, call }, {}, ADMINISTRATOR);
}

/** Changes a key's name, rights or limits; the type and the secret stay. */
export async function updateKey(ctx: ControlCtx, params: KeyParams, patch: KeyPatch): Promise<KeyRow> {
  const here = liveKey(ctx, params.client_id);
  const [[stored]] = await read(ctx, [ctx.db.select().from(apiKeys).where(here)]);
  if (stored === undefined) throw new Problem("not_found");
  requireFittingRights(stored.type, patch);
  await requireOrigins(stored.type, patch.allowed_origins);
  const changed = {
    name: patch.name,
    scopes: patch.scopes && JSON.stringify(patch.scopes),
    allowedOrigins: patch.allowed_origins && JSON.stringify(patch.allowed_origins),
    rateLimitPerMinute: patch.rate_limit_per_minute,
    messagingRatePerMinute: patch.messaging_rate_per_minute,
    messagingDailyCap: patch.messaging_daily_cap,
    expiresAt: patch.expires_at,
    updatedAt: ctx.now,
  };
  return changeKey(ctx, params, {
    changed,
    patch,
    takesAway: takesAway(stored, patch),
    repeat: "known",
    snapshot: key.select(sql`${here}`),
  });
}

/** Gives a secret key a new secret; the old one works on for the overlap, in seconds. */
export async function rotateKey(ctx: ControlCtx, params: KeyParams, body: KeyRotate): Promise<IssuedKeyRow> {
  const secret = newClientSecret();
  const changed = {
    previousSecretHash: sql`secret_hash`,
    previousSecretExpiresAt: ctx.now + body.overlap_seconds * 1_000,
    secretHash: await hashSecret(secret),
    secretLastFour: secret.slice(-4),
    updatedAt: ctx.now,
  };
  const snapshot = await issuedSnapshot(ctx, params.client_id, secret);
  return changeKey(ctx, params, { changed, type: "secret", takesAway: body.overlap_seconds === 0, snapshot });
}

/** Ends another key that has no more than the calling key, so the last one with every scope stays: at once in this isolate, within 10 s everywhere. */
export async function revokeKey(ctx: ControlCtx, params: KeyParams): Promise<{ id: string }> {
  if (params.client_id === ctx.actor.id) {
    throw new Problem("conflict", {
      message: "A key cannot revoke itself: use another key with keys:write",
    });
  }
  return changeKey(ctx, params, {
    changed: { revokedAt: ctx.now, updatedAt: ctx.now },
    takesAway: true,
    repeat: "harmless",
    snapshot: sql<{ id: string }>`SELECT json_object('id', ${params.client_id})`,
  });
}

type KeyChange<Row> = Pick<CopiedWrite<Row>, "takesAway" | "repeat"> & {
  changed: SQLiteUpdateSetSource<typeof apiKeys> & SQLiteUpdateSetSource<typeof keyCopies>;
  /** The only type that has this change. */
  type?: KeyCreate["type"];
  patch?: KeyPatch;
  snapshot: SQL<Row>;
};

/** Writes a change of a live key that has, and gets, no more than the calling key; and of its copy. */
async function changeKey<Row>(
  ctx: ControlCtx,
  params: KeyParams,
  { changed, type, patch, snapshot, ...copied }: KeyChange<Row>,
): Promise<Row> {
  const here = and(liveKey(ctx, params.client_id), type && eq(apiKeys.type, type));
  const hereInCopy = and(liveCopy(params), type && eq(keyCopies.type, type));
  const standing = storedStanding(here, patch);
  return withCopy(ctx, {
    ...copied,
    slug: ctx.company.slug,
    clientId: params.client_id,
    copy: () => [ctx.db.update(keyCopies).set(changed).where(hereInCopy)],
    write: () =>
      atomic(
        ctx,
        [
          ...requireNoMore(ctx, standing),
          ...requireRoomAgain(ctx, here, patch?.expires_at),
          ctx.db.update(apiKeys).set(changed).where(here),
          refuseIfNone("not_found"),
        ],
        snapshot,
        { ...keyRefusals(ctx, standing), limit_reached: () => noRoom(ctx) },
      ),
  });
}

type Rights = Pick<KeyCreate, "scopes" | "allowed_origins">;

/** Throws 422 where a key of this type has no such rights. */
export function requireFittingRights(type: KeyCreate["type"], body: Rights): void {
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

async function issuedSnapshot(
  ctx: ControlCtx,
  clientId: string,
  secret: string | null,
): Promise<SQL<IssuedKeyRow>> {
  const { slug } = ctx.company;
  const encrypted = await encryptSecret(ctx, slug, clientId, secret);
  return sql`SELECT json_set(${key.columns()}, '$.company', ${slug}, '$.sealed_secret', ${encrypted})
    FROM ${apiKeys} WHERE ${liveKey(ctx, clientId)}`;
}
