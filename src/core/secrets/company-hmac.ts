import { sql } from "drizzle-orm";
import { toBase64Url } from "#shared/text/base64url.ts";
import { hmacKey } from "#tables/core";
import type { EncryptionCtx } from "../context.ts";
import { hmacOf } from "./hmac.ts";
import { secretKind } from "./secret-kind.ts";

const KEY_BYTES = 32;

/** The key is encrypted anew when the master key changes, so that a keyed hash stays what it is. */
export const hmacKeySecret = secretKind("mark_key.sealed", {
  table: hmacKey,
  id: hmacKey.id,
  column: hmacKey.sealed,
  key: sql`''`,
});

/** The company's encrypted key for hashes as a value of a SELECT; null until one was made. */
export const encryptedHmacKey = sql<string | null>`(SELECT ${hmacKey.sealed} FROM ${hmacKey})`;

/** The SELECT of that alone. */
export const selectHmacKey = sql<{
  key: string | null;
}>`SELECT json_object('key', ${encryptedHmacKey}) AS snapshot`;

/** Makes the keyed hash (HMAC-SHA-256) of a text for one purpose, which only this company can make. */
export type KeyedHash = (purpose: string, text: string) => Promise<string>;

/** The keyed hash with the company's key. */
export async function keyedHashOf(ctx: EncryptionCtx, encrypted: string): Promise<KeyedHash> {
  return keyedHashWith(await ctx.decrypt(hmacKeySecret, "", encrypted));
}

/** A keyed hash with a new key, and the statement that keeps the key; one that was kept meanwhile refuses the batch. */
export async function newKeyedHash(ctx: EncryptionCtx) {
  const secret = crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toBase64();
  const encrypted = await ctx.encrypt(hmacKeySecret, "", secret);
  return {
    hash: keyedHashWith(secret),
    keep: sql`INSERT INTO ${hmacKey} (id, sealed) VALUES (1, ${encrypted})`,
  };
}

function keyedHashWith(secret: string): KeyedHash {
  return async (purpose, text) => toBase64Url(await hmacOf(secret, purpose, text));
}
