import { sql } from "drizzle-orm";
import { markKey } from "#platform/write/tables.ts";
import { toBase64Url } from "#shared/text/base64url.ts";
import type { SealCtx } from "../context.ts";
import { markOf } from "./mark.ts";
import { sealedKind } from "./sealed-kind.ts";

const KEY_BYTES = 32;

/** The key is sealed anew when the master key changes, so that a mark stays what it is. */
export const markKeySeal = sealedKind("mark_key.sealed", {
  table: markKey,
  id: markKey.id,
  column: markKey.sealed,
  key: sql`''`,
});

/** The company's sealed key of marks as a value of a SELECT; null until one was made. */
export const sealedMarkKey = sql<string | null>`(SELECT ${markKey.sealed} FROM ${markKey})`;

/** The SELECT of that alone. */
export const selectMarkKey = sql<{
  key: string | null;
}>`SELECT json_object('key', ${sealedMarkKey}) AS snapshot`;

/** Makes the mark (HMAC-SHA-256) of a text for one purpose, that this company alone makes of it. */
export type Marker = (purpose: string, text: string) => Promise<string>;

/** What makes marks with the company's key. */
export async function markerOf(ctx: SealCtx, sealed: string): Promise<Marker> {
  return markerWith(await ctx.open(markKeySeal, "", sealed));
}

/** What makes marks with a key of now, and the statement that keeps it; one that was kept meanwhile refuses the batch. */
export async function newMarker(ctx: SealCtx) {
  const secret = crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toBase64();
  const sealed = await ctx.seal(markKeySeal, "", secret);
  return {
    mark: markerWith(secret),
    keep: sql`INSERT INTO ${markKey} (id, sealed) VALUES (1, ${sealed})`,
  };
}

function markerWith(secret: string): Marker {
  return async (purpose, text) => toBase64Url(await markOf(secret, purpose, text));
}
