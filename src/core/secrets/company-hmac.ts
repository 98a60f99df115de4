import { sql } from "drizzle-orm";
import { hmacKey } from "#core/write/tables.ts";
import { toBase64Url } from "#shared/text/base64url.ts";
import type { EncryptionCtx } from "../context.ts";
import { hmacOf } from "./hmac.ts";
import { secretKind } from "./secret-kind.ts";

const KEY_BYTES = 32;

/** The key is encrypted anew when the master key changes, so that a mark stays what it is. */
export const hmacKeySecret = secretKind("mark_key.sealed", {
  table: hmacKey,
  id: hmacKey.id,
  column: hmacKey.sealed,
  key: sql`''`,
});

/** The company's encrypted key of marks as a value of a SELECT; null until one was made. */
export const encryptedHmacKey = sql<string | null>`(SELECT ${hmacKey.sealed} FROM ${hmacKey})`;

/** The SELECT of that alone. */
export const selectHmacKey = sql<{
  key: string | null;
}>`SELECT json_object('key', ${encryptedHmacKey}) AS snapshot`;

/** Makes the mark (HMAC-SHA-256) of a text for one purpose, that this company alone makes of it. */
export type KeyedHash = (purpose: string, text: string) => Promise<string>;

/** What makes marks with the company's key. */
export async function keyedHashOf(ctx: EncryptionCtx, sealed: string): Promise<KeyedHash> {
  return keyedHashWith(await ctx.decrypt(hmacKeySecret, "", sealed));
}

/** What makes marks with a key of now, and the statement that keeps it; one that was kept meanwhile refuses the batch. */
export async function newKeyedHash(ctx: EncryptionCtx) {
  const secret = crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toBase64();
  const sealed = await ctx.encrypt(hmacKeySecret, "", secret);
  return {
    mark: keyedHashWith(secret),
    keep: sql`INSERT INTO ${hmacKey} (id, sealed) VALUES (1, ${sealed})`,
  };
}

function keyedHashWith(secret: string): KeyedHash {
  return async (purpose, text) => toBase64Url(await hmacOf(secret, purpose, text));
}
