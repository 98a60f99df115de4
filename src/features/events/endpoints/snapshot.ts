import { type SQL, sql } from "drizzle-orm";
import type { EncryptionCtx, ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { eventDeliveries } from "../deliveries/tables.ts";
import { endpointSecrets } from "./secret-kinds.ts";
import { eventEndpoints as endpoints } from "./tables.ts";

const shape = {
  id: endpoints.id,
  operation: endpoints.operation,
  url: endpoints.url,
  description: endpoints.description,
  types: sql<string[]>`json(${endpoints.types})`,
  disabled_reason: endpoints.disabledReason,
  failing_since: endpoints.failingSince,
  sealed_secret: endpoints.encryptedSecret,
  last_four: endpoints.secretLastFour,
  previous_secret_expires_at: endpoints.previousSecretExpiresAt,
  last_success_at: endpoints.lastSuccessAt,
  last_failure_at: endpoints.lastFailureAt,
  pending: sql<number>`(SELECT count(*) FROM ${eventDeliveries}
    WHERE ${eventDeliveries.endpointId} = ${endpoints.id} AND ${eventDeliveries.state} IN ('pending', 'sending', 'held'))`,
  created_at: endpoints.createdAt,
  updated_at: endpoints.updatedAt,
};
/** An endpoint as the database holds it. */
export type EndpointRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** The SELECT of endpoints that every read and write ends with. */
export function selectEndpoints(tail: SQL): SQL<EndpointRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${endpoints} WHERE ${tail}`;
}

/** An endpoint as reads show it. */
export function renderEndpoint(row: EndpointRow, { now }: ReadCtx) {
  const { operation, sealed_secret, failing_since, last_four, previous_secret_expires_at, ...rest } = row;
  const isOver = previous_secret_expires_at !== null && previous_secret_expires_at <= now;
  return {
    ...rest,
    id: String(row.id),
    is_active: row.disabled_reason === null,
    state: stateOf(row),
    secret: { configured: true as const, last_four },
    previous_secret_expires_at: isOver ? null : timestampOrNull(previous_secret_expires_at),
    last_success_at: timestampOrNull(row.last_success_at),
    last_failure_at: timestampOrNull(row.last_failure_at),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

/** An endpoint just made or rotated: the only answers that show its secret. */
export async function renderIssuedEndpoint(row: EndpointRow, ctx: ReadCtx & EncryptionCtx) {
  const secret = await ctx.decrypt(endpointSecrets, row.operation, row.sealed_secret);
  return { ...renderEndpoint(row, ctx), secret };
}

function stateOf({ disabled_reason, failing_since }: EndpointRow) {
  if (disabled_reason !== null) return "disabled" as const;
  return failing_since === null ? ("ok" as const) : ("failing" as const);
}
