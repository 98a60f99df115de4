import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Failure } from "../../failure.ts";
import { variable } from "./variables.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 6;
// As src/core/secrets/encryption.ts has it.
const ENCRYPTED = /^v2\.([0-9a-f]{12})\.([\w-]+)$/;

/**
 * Opens what the service encrypted for a company: AES-256-GCM under a key that HKDF-SHA-256 derives from MASTER_KEY, or
 * else from PREVIOUS_MASTER_KEY. Throws a Failure where neither opens it.
 */
export function decrypt(company: string, field: string, encrypted: string): string {
  const [, keyId, text = ""] = ENCRYPTED.exec(encrypted) ?? [];
  for (const masterKey of masterKeys()) {
    if (keyId !== idOf(masterKey)) continue;
    const secret = decryptWith(masterKey, company, field, text);
    if (secret !== undefined) return secret;
  }
  throw new Failure(`MASTER_KEY does not open ${field} of ${company}: is it the Worker's?`);
}

/** Whether a value was encrypted for another company or field: the key that it names is here, and does not open it. */
export function isOfAnother(company: string, field: string, encrypted: string): boolean {
  const [, keyId, text = ""] = ENCRYPTED.exec(encrypted) ?? [];
  const masterKey = masterKeys().find((each) => idOf(each) === keyId);
  return masterKey !== undefined && decryptWith(masterKey, company, field, text) === undefined;
}

/** The 12 digits of the key that a value was encrypted with. */
export function keyIdIn(encrypted: string): string | undefined {
  return ENCRYPTED.exec(encrypted)?.[1];
}

/** The same of a key that is not here; nothing where it is. Says nothing of who the value was encrypted for. */
export function keyMissingFor(encrypted: string): string | undefined {
  const keyId = keyIdIn(encrypted);
  return keyId === undefined || keyIdsAtHand().includes(keyId) ? undefined : keyId;
}

/** Throws a Failure where there is a key at hand, and no key at hand opens any of these: it is not the service's. */
export function refuseForeign(encrypted: readonly string[]): void {
  if (!hasMasterKey()) return;
  const missing = encrypted.map(keyMissingFor);
  const [first] = missing;
  if (first === undefined || missing.includes(undefined)) return;
  throw new Failure(
    `Nothing was done. The service encrypts with the master key ${first}, which is needed as MASTER_KEY: with the one at hand the backup could not be restored`,
  );
}

/** Encrypts a secret as the service does, under MASTER_KEY. */
export function encrypt(company: string, field: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const [masterKey = ""] = masterKeys();
  const cipher = createCipheriv("aes-256-gcm", keyOf(masterKey, company), nonce);
  cipher.setAAD(Buffer.from(`${company}|${field}`));
  const encrypted = Buffer.concat([
    nonce,
    cipher.update(secret, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return `v2.${idOf(masterKey)}.${encrypted.toString("base64url")}`;
}

/** Whether there is a key that opens anything. */
export function hasMasterKey(): boolean {
  return variable("MASTER_KEY") !== undefined;
}

/** The ids of the keys at hand, in an order that does not depend on which is the current one; none where there is no key. */
export function keyIdsAtHand(): string[] {
  return hasMasterKey() ? masterKeys().map(idOf).toSorted() : [];
}

function decryptWith(masterKey: string, company: string, field: string, text: string): string | undefined {
  const packed = Buffer.from(text, "base64url");
  try {
    const nonce = packed.subarray(0, NONCE_BYTES);
    const cipher = createDecipheriv("aes-256-gcm", keyOf(masterKey, company), nonce);
    cipher.setAAD(Buffer.from(`${company}|${field}`));
    cipher.setAuthTag(packed.subarray(-TAG_BYTES));
    const text = cipher.update(packed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, cipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function keyOf(masterKey: string, company: string): Buffer {
  return derived(masterKey, `seal|${company}`);
}

function idOf(masterKey: string): string {
  return derived(masterKey, "key id").subarray(0, KEY_ID_BYTES).toString("hex");
}

function derived(masterKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.from(masterKey, "base64"), "", purpose, 32));
}

function masterKeys(): string[] {
  const [current, previous] = [variable("MASTER_KEY"), variable("PREVIOUS_MASTER_KEY")];
  if (current === undefined) throw new Failure("MASTER_KEY is missing: it opens what the service encrypted");
  return previous === undefined ? [current] : [current, previous];
}
