import { and, eq, isNull } from "drizzle-orm";
import type { apiKeys } from "#tables/tenancy";
import { keyCopies } from "#tables/tenancy/own-database";
import type { KeyCopy } from "#tenancy/registry-backup/schema.ts";
import type { KeyRow } from "./record.ts";
import type { KeyParams, KeyPatch } from "./schema.ts";

type Stored = typeof apiKeys.$inferSelect;

/** The copy of the key, unless that says that it was revoked. */
export function liveCopy({ client_id: clientId }: KeyParams) {
  return and(eq(keyCopies.clientId, clientId), isNull(keyCopies.revokedAt));
}

/** The copy of a key that was just made. */
export function newCopy(row: KeyRow, secretHash: string | null): KeyCopy {
  return {
    client_id: row.id,
    type: row.type,
    name: row.name,
    scopes: JSON.stringify(row.scopes),
    allowed_origins: JSON.stringify(row.allowed_origins),
    secret_hash: secretHash,
    secret_last_four: row.secret_last_four,
    previous_secret_hash: null,
    previous_secret_expires_at: null,
    rate_limit_per_minute: row.rate_limit_per_minute,
    messaging_rate_per_minute: row.messaging_rate_per_minute,
    messaging_daily_cap: row.messaging_daily_cap,
    expires_at: row.expires_at,
    revoked_at: null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Whether a change takes anything away from what the key may do. */
export function takesAway(stored: Stored, patch: KeyPatch): boolean {
  return (
    lacksOne(stored.scopes, patch.scopes) ||
    lacksOne(stored.allowedOrigins, patch.allowed_origins) ||
    (patch.rate_limit_per_minute ?? stored.rateLimitPerMinute) < stored.rateLimitPerMinute ||
    (patch.messaging_rate_per_minute ?? stored.messagingRatePerMinute) < stored.messagingRatePerMinute ||
    (patch.messaging_daily_cap ?? stored.messagingDailyCap) < stored.messagingDailyCap ||
    (patch.expires_at != null && patch.expires_at < (stored.expiresAt ?? Number.POSITIVE_INFINITY))
  );
}

function lacksOne(stored: string, patched: readonly string[] | undefined): boolean {
  if (patched === undefined) return false;
  return (JSON.parse(stored) as string[]).some((one) => !patched.includes(one));
}
