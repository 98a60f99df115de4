import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { atomic, refuseIfNone, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { readList, readOne } from "#platform/read-records.ts";
import { sha256Hex } from "#platform/secrets.ts";
import type { Failure } from "#providers/delivery";
import { timestampToWire } from "#shared/dates.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { releaseHeld, requeueStuck } from "../dispatch/chores.ts";
import { type Channel, messageRecipients, messages, messagingProviders as providers } from "../tables.ts";
import { parseConfig } from "./config.ts";
import type { ProviderCreate, ProviderPatch, RecordParams } from "./schema.ts";
import { callbackUrl, maskedCallbackUrl, sealConfig, sealToken } from "./seals.ts";

const shape = {
  id: providers.id,
  operation: providers.operation,
  channel: providers.channel,
  kind: providers.kind,
  config: sql<Record<string, unknown>>`json(${providers.config})`,
  sealed_token: providers.sealedToken,
  is_active: providers.isActive,
  is_default: providers.isDefault,
  paused_at: providers.pausedAt,
  last_error: sql<(Failure & { at: number }) | null>`json(${providers.lastError})`,
  created_at: providers.createdAt,
  updated_at: providers.updatedAt,
};
export type ProviderRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** Providers, newest first. */
export async function listProviders(
  ctx: Ctx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<ProviderRow>> {
  const tail = sql`${providers.id} < ${idBelow(page)} ORDER BY ${providers.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectProviders(tail));
}

export async function getProvider(ctx: Ctx, { id }: RecordParams): Promise<ProviderRow> {
  return readOne(ctx, selectProviders(eq(providers.id, id)));
}

/** Connects a provider; the first active one of its channel becomes the default. */
export async function createProvider(ctx: Ctx, _params: unknown, body: ProviderCreate): Promise<ProviderRow> {
  const { channel, kind, is_active: isActive = true, is_default: isDefault } = body;
  const { config, shown } = parseConfig(channel, kind, body.config);
  await claimNumber(ctx, config);
  const operation = ctx.operation.id;
  const token = ctx.newToken();
  const [sealedConfig, sealedToken, tokenHash] = await Promise.all([
    sealConfig(ctx, operation, config),
    sealToken(ctx, operation, token),
    sha256Hex(token),
  ]);
  const noDefault = sql`NOT EXISTS (SELECT 1 FROM ${providers} WHERE channel = ${channel} AND is_active = 1 AND is_default = 1)`;
  return atomic(
    ctx,
    [
      ...(isActive && isDefault ? [unsetDefault(channel)] : []),
      ctx.db.insert(providers).values({
        operation,
        channel,
        kind,
        config: JSON.stringify(shown),
        sealedConfig,
        sealedToken,
        tokenHash,
        isActive: Number(isActive),
        isDefault: isActive ? (isDefault === undefined ? sql`${noDefault}` : Number(isDefault)) : 0,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectProviders(eq(providers.operation, operation)),
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
  const here = eq(providers.id, id);
  const [[stored]] = await read(ctx, [
    ctx.db
      .select({ ...getTableColumns(providers), number: ownNumber })
      .from(providers)
      .where(here),
  ]);
  if (stored === undefined) throw new Problem("not_found");
  const parsed = patch.config && parseConfig(stored.channel, stored.kind, patch.config);
  if (parsed !== undefined) await claimNumber(ctx, parsed.config);
  const resumes = parsed !== undefined || patch.is_active === true;
  const row = await atomic(
    ctx,
    [
      ...(resumes ? [releaseHeld(ctx, id)] : []),
      ...(patch.is_default === true ? [unsetDefault(stored.channel, staysActive(id, patch))] : []),
      ctx.db
        .update(providers)
        .set({
          config: parsed && JSON.stringify(parsed.shown),
          sealedConfig: parsed && (await sealConfig(ctx, stored.operation, parsed.config)),
          isActive: patch.is_active === undefined ? undefined : Number(patch.is_active),
          isDefault: defaultAfter(patch),
          ...(resumes ? { lastError: null, pausedAt: null } : {}),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectProviders(here),
  );
  if (resumes && stored.pausedAt !== null) ctx.afterwards(requeueStuck(ctx));
  if (stored.number !== row.config.phone_number_id) await releaseNumber(ctx, stored.number);
  return row;
}

/** Removes a provider that has nothing left to send; its messages stay. */
export async function deleteProvider(ctx: Ctx, { id }: RecordParams): Promise<{ id: number }> {
  const here = eq(providers.id, id);
  const [[stored]] = await read(ctx, [ctx.db.select({ number: ownNumber }).from(providers).where(here)]);
  const waiting = sql`EXISTS (SELECT 1 FROM ${messageRecipients} r JOIN ${messages} m ON m.id = r.message_id
    WHERE r.dispatch_state IN ('pending', 'dispatching') AND m.provider_id = ${id})`;
  const row = await atomic(
    ctx,
    [refuseWhen(waiting, "in_use"), ctx.db.delete(providers).where(here), refuseIfNone("not_found")],
    sql<{ id: number }>`SELECT json_object('id', ${id})`,
  );
  await releaseNumber(ctx, stored?.number);
  return row;
}

/** A provider just made or rotated: the only answers that show the whole address. */
export function renderIssuedProvider(row: ProviderRow, ctx: Ctx) {
  return renderProvider(row, ctx, callbackUrl);
}

export async function renderProvider(row: ProviderRow, ctx: Ctx, address = maskedCallbackUrl) {
  const { operation, sealed_token, last_error: error, ...rest } = row;
  const state = row.paused_at === null ? ("active" as const) : ("paused" as const);
  return {
    ...rest,
    id: String(row.id),
    is_active: row.is_active === 1,
    is_default: row.is_default === 1,
    status: row.is_active === 1 ? state : ("inactive" as const),
    paused_at: row.paused_at === null ? null : timestampToWire(row.paused_at),
    callback_url: await address(ctx, row),
    last_error: error === null ? null : { ...error, at: timestampToWire(error.at) },
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

/** The SELECT of providers that every read and write ends with. */
export function selectProviders(tail: SQL): SQL<ProviderRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${providers} WHERE ${tail}`;
}

function unsetDefault(channel: Channel, when: SQL = sql`1`): SQL {
  return sql`UPDATE ${providers} SET is_default = 0 WHERE channel = ${channel} AND is_default = 1 AND ${when}`;
}

/** Whether a provider is active once it is changed: one that is not takes no default away. */
function staysActive(id: number, { is_active: active }: ProviderPatch): SQL {
  if (active !== undefined) return sql`${Number(active)}`;
  return sql`EXISTS (SELECT 1 FROM ${providers} other WHERE other.id = ${id} AND other.is_active = 1)`;
}

function defaultAfter({ is_active: active, is_default: asked }: ProviderPatch) {
  if (active === false) return 0;
  if (asked === undefined) return undefined;
  return active === true ? Number(asked) : sql`min(${Number(asked)}, ${providers.isActive})`;
}

/** The chat-app number that a provider is for and no other one is; its callbacks name no company. */
const ownNumber = sql<
  string | null
>`(SELECT json_extract(mine.config, '$.phone_number_id') FROM ${providers} mine
  WHERE mine.id = messaging_providers.id AND NOT EXISTS (SELECT 1 FROM ${providers} other
    WHERE other.id <> mine.id
      AND json_extract(other.config, '$.phone_number_id') = json_extract(mine.config, '$.phone_number_id')))`;

// The routing stands in the control database. It is set before the row, and a retry of the whole call sets it again.
async function claimNumber(ctx: Ctx, { phone_number_id: number }: Record<string, unknown>): Promise<void> {
  if (typeof number === "string") await ctx.chatappNumbers.claim(number);
}

async function releaseNumber(ctx: Ctx, number: string | null | undefined): Promise<void> {
  if (typeof number === "string") await ctx.chatappNumbers.release(number);
}
