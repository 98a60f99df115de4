import { sha256Hex } from "#core/secrets/hash.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 22;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** What a client id looks like; one that does not is never looked up. */
export const CLIENT_ID = /^(?:ck|pk)_[0-9A-Za-z]{22}$/;
/** What a secret looks like: 256 random bits and a checksum. Published, for secret scanners. */
export const CLIENT_SECRET = /^sk_[0-9A-Za-z]{49}$/;

/** A fresh client id of 128 random bits: `ck_...` for a secret key, `pk_...` for a publishable one. */
export function newClientId(type: "secret" | "publishable"): string {
  return `${type === "secret" ? "ck" : "pk"}_${randomBase62(ID_LENGTH)}`;
}

/** A fresh secret: 256 random bits in base62, then the checksum of what stands before it. */
export function newClientSecret(): string {
  const body = `sk_${randomBase62(SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** Whether a secret's checksum fits; a mistyped one is refused without a look-up. */
export function isWellFormedSecret(secret: string): boolean {
  if (!CLIENT_SECRET.test(secret)) return false;
  const body = secret.slice(0, -CHECKSUM_LENGTH);
  return secret.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** What is stored of a secret. It is random, so a slow hash would buy nothing. */
export function hashSecret(secret: string): Promise<string> {
  return sha256Hex(secret);
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 = 4 * 62: the bytes above it would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = "";
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    encoded = ALPHABET.charAt(rest % 62) + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
