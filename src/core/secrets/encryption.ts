import { retryLater } from "#shared/retry.ts";
import { fromBase64Url, toBase64Url } from "#shared/text/base64url.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { logFault } from "../log.ts";
import { deriveBits } from "./derive-key.ts";

const encoder = new TextEncoder();
const NONCE_BYTES = 12;

/** Where an encrypted value belongs: it opens nowhere else. */
export type SecretPlace = { company: string; field: string };

const ENCRYPTED = /^v2\.([0-9a-f]{12})\.([\w-]+)$/;
const KEY_ID_BYTES = 6;
const keyIds = new Map<string, string>();

/** The public name of a master key: 12 hexadecimal digits, which reveal nothing of the key. */
export async function keyIdOf(masterKey: string): Promise<string> {
  const known = keyIds.get(masterKey);
  if (known !== undefined) return known;
  const id = (await deriveBits(masterKey, "key id")).slice(0, KEY_ID_BYTES).toHex();
  keyIds.set(masterKey, id);
  return id;
}

/** The id of the master key that encrypted a value; null for a text that was never encrypted. */
export function encryptedBy(encrypted: string): string | null {
  return ENCRYPTED.exec(encrypted)?.[1] ?? null;
}

/**
 * Encrypts a secret with AES-256-GCM under a key of its company, bound to company and field: a moved row does not open.
 * The text names the master key: `v2.<key id>.<nonce and secret>`.
 */
export async function encrypt(masterKey: string, place: SecretPlace, secret: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const key = await encryptionKey(masterKey, place);
  const encrypted = new Uint8Array(
    await crypto.subtle.encrypt(algorithm(nonce, place), key, encoder.encode(secret)),
  );
  const packed = new Uint8Array(NONCE_BYTES + encrypted.length);
  packed.set(nonce);
  packed.set(encrypted, NONCE_BYTES);
  return `v2.${await keyIdOf(masterKey)}.${toBase64Url(packed)}`;
}

/** Opens what `encrypt` encrypted. Throws 503 `no_key_opens`, and logs it, where none of the master keys did that. */
export async function decrypt(
  masterKeys: readonly string[],
  place: SecretPlace,
  encrypted: string,
): Promise<string> {
  const secret = await tryDecrypt(masterKeys, place, encrypted);
  if (secret !== undefined) return secret;
  const needed = encryptedBy(encrypted) ?? "none";
  logFault("no_key_opens", `The encrypted ${place.field} needs the master key ${needed}`, place.company);
  throw retryLater("no_key_opens", MINUTE_MS);
}

/** Opens what `encrypt` encrypted, with that of the master keys which encrypted it; undefined where none of them did. */
export async function tryDecrypt(
  masterKeys: readonly string[],
  place: SecretPlace,
  encrypted: string,
): Promise<string | undefined> {
  const [, keyId, text = ""] = ENCRYPTED.exec(encrypted) ?? [];
  for (const masterKey of masterKeys) {
    if (keyId !== (await keyIdOf(masterKey))) continue;
    const key = await encryptionKey(masterKey, place);
    try {
      const packed = fromBase64Url(text);
      const nonce = packed.slice(0, NONCE_BYTES);
      const secret = await crypto.subtle.decrypt(algorithm(nonce, place), key, packed.slice(NONCE_BYTES));
      return new TextDecoder().decode(secret);
    } catch {
      return undefined;
    }
  }
  return undefined;
}

const MOST_KEYS = 500;
// Deriving a key costs ten times what opening a secret with it does. A CryptoKey is data: it does no work of its own.
const encryptionKeys = new Map<string, CryptoKey>();

async function encryptionKey(masterKey: string, { company }: SecretPlace): Promise<CryptoKey> {
  const name = `${masterKey}|${company}`;
  const known = encryptionKeys.get(name);
  if (known !== undefined) return known;
  const bits = await deriveBits(masterKey, `seal|${company}`);
  const key = await crypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt", "decrypt"]);
  if (encryptionKeys.size >= MOST_KEYS) encryptionKeys.clear();
  encryptionKeys.set(name, key);
  return key;
}

function algorithm(nonce: Uint8Array<ArrayBuffer>, place: SecretPlace) {
  return { name: "AES-GCM", iv: nonce, additionalData: encoder.encode(`${place.company}|${place.field}`) };
}
