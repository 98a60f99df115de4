import { fromBase64Url, toBase64Url } from "#shared/text/base64url.ts";
import { deriveBits } from "./derive-key.ts";

const encoder = new TextEncoder();
const NONCE_BYTES = 12;

/** Where a sealed value belongs: it opens nowhere else. */
export type SealPlace = { company: string; field: string };

// Values from before keys had names are `v1.` and the sealed bytes.
const SEALED = /^(?:v1|v2\.([0-9a-f]{12}))\.([\w-]+)$/;
const KEY_ID_BYTES = 6;
const keyIds = new Map<string, string>();

/** The public name of a master key: 12 hexadecimal digits, which tell nothing of the key. */
export async function keyIdOf(masterKey: string): Promise<string> {
  const known = keyIds.get(masterKey);
  if (known !== undefined) return known;
  const id = (await deriveBits(masterKey, "key id")).slice(0, KEY_ID_BYTES).toHex();
  keyIds.set(masterKey, id);
  return id;
}

/** The id of the master key that sealed a value; null for one from before keys had names. */
export function sealedBy(sealed: string): string | null {
  return SEALED.exec(sealed)?.[1] ?? null;
}

/**
 * Seals a secret with AES-256-GCM under a key of its company; bound to company and field, so a moved row does not open.
 * The text names the master key: `v2.<key id>.<nonce and secret>`.
 */
export async function seal(masterKey: string, place: SealPlace, secret: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const key = await sealingKey(masterKey, place);
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt(algorithm(nonce, place), key, encoder.encode(secret)),
  );
  const packed = new Uint8Array(NONCE_BYTES + sealed.length);
  packed.set(nonce);
  packed.set(sealed, NONCE_BYTES);
  return `v2.${await keyIdOf(masterKey)}.${toBase64Url(packed)}`;
}

/** Opens what `seal` sealed, with that of the master keys which sealed it; throws when none of them did. */
export async function open(masterKeys: readonly string[], place: SealPlace, sealed: string): Promise<string> {
  const [, keyId, text = ""] = SEALED.exec(sealed) ?? [];
  const packed = fromBase64Url(text);
  const nonce = packed.slice(0, NONCE_BYTES);
  for (const masterKey of masterKeys) {
    if (keyId !== undefined && keyId !== (await keyIdOf(masterKey))) continue;
    const key = await sealingKey(masterKey, place);
    try {
      const secret = await crypto.subtle.decrypt(algorithm(nonce, place), key, packed.slice(NONCE_BYTES));
      return new TextDecoder().decode(secret);
    } catch {
      // A value that names no key may be sealed under the next one.
    }
  }
  throw new Error(`The sealed ${place.field} of ${place.company} opens with no master key`);
}

const MOST_KEYS = 500;
// Deriving a key costs ten times what opening a secret with it does. A CryptoKey is data: it does no work of its own.
const sealingKeys = new Map<string, CryptoKey>();

async function sealingKey(masterKey: string, { company }: SealPlace): Promise<CryptoKey> {
  const name = `${masterKey}|${company}`;
  const known = sealingKeys.get(name);
  if (known !== undefined) return known;
  const bits = await deriveBits(masterKey, `seal|${company}`);
  const key = await crypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt", "decrypt"]);
  if (sealingKeys.size >= MOST_KEYS) sealingKeys.clear();
  sealingKeys.set(name, key);
  return key;
}

function algorithm(nonce: Uint8Array<ArrayBuffer>, place: SealPlace) {
  return { name: "AES-GCM", iv: nonce, additionalData: encoder.encode(`${place.company}|${place.field}`) };
}
