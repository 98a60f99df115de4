import { and, eq, getTableColumns, ne, sql } from "drizzle-orm";
import type { Ctx, DirectoryCtx, EncryptionCtx, IdCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { requireSettingRights } from "#core/required-scope.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { selectId } from "#core/sql/json.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { messageRecipients, messages, messagingProviders as providers } from "#tables/messaging";
import { releaseHeld, requeueOverdue } from "../dispatch/requeue.ts";
import { isUnsent } from "../dispatch/unsent.ts";
import { assignNumber, ownNumber, releaseNumber } from "./configuration/chatapp-number.ts";
import { parseConfig } from "./configuration/parse-config.ts";
import { encryptConfig, providerTokens } from "./configuration/secret-kinds.ts";
import { defaultAfter, defaultAtFirst, staysActive, unsetDefault } from "./default-provider.ts";
import { type ProviderRow, provider } from "./record.ts";
import type { ProviderCreate, ProviderPatch, ProviderRotate } from "./schema.ts";

/** Connects a provider; the first active one of its channel becomes the default. */
export async function createProvider(ctx: Ctx, _params: unknown, body: ProviderCreate): Promise<ProviderRow> {
  // An account sees all that is sent through it, and its reply address gets the answers.
  requireSettingRights(ctx, "messaging-providers", ["config"]);
  const { channel, kind, is_active: isActive = true, is_default: isDefault } = body;
  const { config, shown } = parseConfig(channel, kind, body.config);
  await assignNumber(ctx, config);
  const operation = ctx.call.id;
  const [encryptedConfig, token] = await Promise.all([
    encryptConfig(ctx, operation, config),
    newToken(ctx, operation),
  ]);
  return atomic(
    ctx,
    [
      ...(isActive && isDefault ? [unsetDefault(ctx, channel)] : []),
      ctx.db.insert(providers).values({
        operation,
        channel,
        kind,
        config: JSON.stringify(shown),
        encryptedConfig,
        ...token,
        isActive: Number(isActive),
        isDefault: defaultAtFirst(channel, isActive, isDefault),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    provider.select(eq(providers.operation, operation)),
  );
}

/**
 * Changes a provider; a configuration that is sent replaces the whole one, and lets a paused provider go on. One that is
 * switched off is no default.
 */
export async function updateProvider(
  ctx: Ctx,
  { id }: RecordParams,
  patch: ProviderPatch,
): Promise<ProviderRow> {
  requireSettingRights(ctx, "messaging-providers", Object.keys(patch));
  const here = eq(providers.id, id);
  const [[stored]] = await read(ctx, [
    ctx.db
      .select({ ...getTableColumns(providers), number: ownNumber })
      .from(providers)
      .where(here),
  ]);
  if (stored === undefined) throw new Problem("not_found");
  const parsed = patch.config && parseConfig(stored.channel, stored.kind, patch.config);
  if (parsed !== undefined) await assignNumber(ctx, parsed.config);
  const resumes = parsed !== undefined || patch.is_active === true;
  const row = await atomic(
    ctx,
    [
      ...(resumes ? [releaseHeld(ctx, id)] : []),
      ...(patch.is_default === true ? [unsetDefault(ctx, stored.channel, staysActive(id, patch))] : []),
      ctx.db
        .update(providers)
        .set({
          config: parsed && JSON.stringify(parsed.shown),
          encryptedConfig: parsed && (await encryptConfig(ctx, stored.operation, parsed.config)),
          isActive: patch.is_active === undefined ? undefined : Number(patch.is_active),
          isDefault: defaultAfter(patch),
          ...(resumes ? { lastError: null, pausedAt: null, failures: 0, restsUntil: null } : {}),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    provider.select(here),
  );
  if (resumes && (stored.pausedAt !== null || stored.restsUntil !== null))
    ctx.afterwards(requeueOverdue(ctx));
  if (stored.number !== row.config.phone_number_id) await releaseNumber(ctx, stored.number);
  return row;
}

/** Gives a provider a new callback address. The old one keeps working for `overlap` seconds. */
export async function rotateProvider(
  ctx: WriteCtx & IdCtx & EncryptionCtx & OutsideCtx,
  { id }: RecordParams,
  body: ProviderRotate,
): Promise<ProviderRow> {
  // By the address that the answer shows, receipts and answers can be forged.
  requireSettingRights(ctx, "messaging-providers", ["config"]);
  // All chat-apps call the platform's one address, which has no token.
  const here = and(eq(providers.id, id), ne(providers.channel, "chatapp"));
  const [[stored]] = await read(ctx, [
    ctx.db.select({ operation: providers.operation }).from(providers).where(here),
  ]);
  if (stored === undefined) throw new Problem("not_found");
  const token = await newToken(ctx, stored.operation);
  return atomic(
    ctx,
    [
      ctx.db
        .update(providers)
        .set({
          previousTokenHash: sql`${providers.tokenHash}`,
          previousTokenExpiresAt: ctx.now + body.overlap_seconds * 1_000,
          ...token,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    provider.select(eq(providers.id, id)),
  );
}

/** Removes a provider that has nothing left to send; its messages stay. */
export async function deleteProvider(
  ctx: WriteCtx & DirectoryCtx & OutsideCtx,
  { id }: RecordParams,
): Promise<{ id: number }> {
  // Where messages go from then on is changed by it as by another configuration.
  requireSettingRights(ctx, "messaging-providers", ["config"]);
  const here = eq(providers.id, id);
  const [[stored]] = await read(ctx, [ctx.db.select({ number: ownNumber }).from(providers).where(here)]);
  const waiting = sql`EXISTS (SELECT 1 FROM ${messageRecipients}
    JOIN ${messages} ON ${messages.id} = ${messageRecipients.messageId}
    WHERE ${isUnsent} AND ${messages.providerId} = ${id})`;
  const row = await atomic(
    ctx,
    [refuseWhen(waiting, "in_use"), ctx.db.delete(providers).where(here), refuseIfNone("not_found")],
    selectId(id),
  );
  await releaseNumber(ctx, stored?.number);
  return row;
}

async function newToken(ctx: IdCtx & EncryptionCtx, operation: string) {
  const token = ctx.newToken();
  const [encryptedToken, tokenHash] = await Promise.all([
    ctx.encrypt(providerTokens, operation, token),
    sha256Hex(token),
  ]);
  return { encryptedToken, tokenHash };
}
