import { type SQL, sql } from "drizzle-orm";
import type { EncryptionCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import type { Failure } from "#providers/delivery";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { callbackUrl, maskedCallbackUrl } from "./callback-address.ts";
import { messagingProviders as providers } from "./tables.ts";

const shape = {
  id: providers.id,
  operation: providers.operation,
  channel: providers.channel,
  kind: providers.kind,
  config: sql<Record<string, unknown>>`json(${providers.config})`,
  sealed_token: providers.encryptedToken,
  is_active: providers.isActive,
  is_default: providers.isDefault,
  paused_at: providers.pausedAt,
  last_error: sql<(Failure & { at: number }) | null>`json(${providers.lastError})`,
  created_at: providers.createdAt,
  updated_at: providers.updatedAt,
};
/** A provider as the database holds it; its configuration as a read shows it. */
export type ProviderRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** The SELECT of providers that every read and write ends with. */
export function selectProviders(tail: SQL): SQL<ProviderRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${providers} WHERE ${tail}`;
}

/** A provider just made or rotated: the only answers that show the whole address. */
export function renderIssuedProvider(row: ProviderRow, ctx: ReadCtx & EncryptionCtx & OutsideCtx) {
  return renderProvider(row, ctx, callbackUrl);
}

/** A provider as reads show it. */
export async function renderProvider(
  row: ProviderRow,
  ctx: ReadCtx & EncryptionCtx & OutsideCtx,
  address = maskedCallbackUrl,
) {
  const { operation, sealed_token, last_error: error, ...rest } = row;
  const state = row.paused_at === null ? ("active" as const) : ("paused" as const);
  return {
    ...rest,
    id: String(row.id),
    is_active: row.is_active === 1,
    is_default: row.is_default === 1,
    status: row.is_active === 1 ? state : ("inactive" as const),
    paused_at: timestampOrNull(row.paused_at),
    callback_url: await address(ctx, row),
    last_error: error === null ? null : { ...error, at: timestampToWire(error.at) },
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
