import { type SQL, sql } from "drizzle-orm";
import { deriveBits } from "#core/secrets/derive-key.ts";
import { keyIdOf } from "#core/secrets/encryption.ts";
import { secretKind } from "#core/secrets/secret-kind.ts";
import { auditChanges, auditCut, auditKeys, auditLinks, auditLog } from "#tables/core";

/** A link of the chain as the next one builds on it; times are epoch milliseconds. */
export type AuditHead = { lastId: number; hash: string; chainedAt: number };
/** A key of links: the public name of the master key that it is derived from, and its bytes in base64. */
export type AuditKey = { id: string; secret: string };
/** A row of the log with the names of the fields that it changed, its members in a fixed order. */
export type ChainedRow = readonly [id: number, ...rest: (string | number | null)[]];
/** What a link says of a paper, its members in a fixed order. */
export type PaperDigest = readonly [kind: string, id: number, digest: string];

/** How many rows a link has at most. */
export const LINK_ROWS = 500;
/** What the first link of a company builds on. */
export const NO_LINK: AuditHead = { lastId: 0, hash: "", chainedAt: 0 };

/** Each company keeps the keys of its links, so that old links can be checked once a master key is dropped. */
export const auditKeySecret = secretKind("audit_keys.sealed.", {
  table: auditKeys,
  id: auditKeys.keyId,
  column: auditKeys.sealed,
  key: auditKeys.keyId,
});

const encoder = new TextEncoder();

/** A row of the log as `ChainedRow`, in one cell. */
export const chainedRow = sql<string>`json_array(${auditLog.id}, ${auditLog.at}, ${auditLog.actor}, ${auditLog.action},
  ${auditLog.record}, ${auditLog.requestId}, ${auditLog.note},
  (SELECT ${auditChanges.fields} FROM ${auditChanges} WHERE ${auditChanges.auditId} = ${auditLog.id}))`;

/** What a row of the log keeps of values, beside `chainedRow`. */
export const keptValues = sql<
  string | null
>`(SELECT ${auditChanges.kept} FROM ${auditChanges} WHERE ${auditChanges.auditId} = ${auditLog.id})`;

/** What is known of the link that ends with a row of the log, also where its rows are erased. */
export function selectLink(lastId: number): SQL<AuditHead> {
  const link = sql`SELECT last_id AS lastId, hash, chained_at AS chainedAt`;
  return sql`${link} FROM ${auditLinks} WHERE last_id = ${lastId} UNION ALL ${link} FROM ${auditCut} WHERE last_id = ${lastId}`;
}

/** The key of links that a master key makes. */
export async function auditKeyOf(masterKey: string): Promise<AuditKey> {
  const bits = await deriveBits(masterKey, "audit log");
  return { id: await keyIdOf(masterKey), secret: bits.toBase64() };
}

/** The HMAC-SHA-256 of a link in hexadecimal: of the link before it, of its time, of its rows and of its digests. */
export function linkHash(
  key: AuditKey,
  before: AuditHead,
  link: Omit<AuditHead, "hash">,
  rows: readonly ChainedRow[],
  digests: readonly PaperDigest[],
): Promise<string> {
  const text = JSON.stringify([
    [before.lastId, before.hash, before.chainedAt],
    [link.lastId, link.chainedAt],
    rows,
    digests,
  ]);
  return hmacOf(key, text);
}

/** The HMAC-SHA-256 of a text in hexadecimal. */
export async function hmacOf(key: AuditKey, text: string): Promise<string> {
  return new Uint8Array(
    await crypto.subtle.sign("HMAC", await importedKey(key), encoder.encode(text)),
  ).toHex();
}

const imported = new WeakMap<AuditKey, Promise<CryptoKey>>();

/** The key as the runtime takes it; thousands of texts may follow each other. */
function importedKey(key: AuditKey): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const known =
    imported.get(key) ??
    crypto.subtle.importKey("raw", Uint8Array.fromBase64(key.secret), algorithm, false, ["sign"]);
  imported.set(key, known);
  return known;
}
