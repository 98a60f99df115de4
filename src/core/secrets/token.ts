import { fromBase64Url, toBase64Url } from "#shared/text/base64url.ts";
import type { HmacCtx } from "../context.ts";
import { equalTexts } from "./hash.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** What a token is signed for. `head` stands in front of it; `text` holds the head, and what it is bound to besides. */
type Signed = { purpose: string; text: string; head: Uint8Array };

/** A token of 43 characters: its head, and as much of the HMAC of its text as there is room for. */
export async function signedToken({ hmacs }: HmacCtx, { purpose, text, head }: Signed): Promise<string> {
  const [hmac] = await hmacs(purpose, text);
  if (hmac === undefined) throw new Error("There is no key to make an HMAC with");
  return tokenOf(head, hmac);
}

/** Whether a token is that of its text; one that was made with the master key before this one counts too. */
export async function isSigned(
  { hmacs }: HmacCtx,
  token: string,
  { purpose, text, head }: Signed,
): Promise<boolean> {
  const made = await hmacs(purpose, text);
  const equal = await Promise.all(made.map((hmac) => equalTexts(tokenOf(head, hmac), token)));
  return equal.includes(true);
}

/** The first bytes of a token; null for a text that is none. */
export function headOf(token: string, length: number): Uint8Array<ArrayBuffer> | null {
  return TOKEN.test(token) ? fromBase64Url(token).slice(0, length) : null;
}

/** Whole numbers as bytes, each with its length; the highest byte is first. */
export function bytesOf(
  ...numbers: readonly (readonly [value: number, length: number])[]
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    numbers.flatMap(([value, length]) =>
      Array.from({ length }, (_, place) => Math.floor(value / 256 ** (length - 1 - place)) % 256),
    ),
  );
}

/** The whole number that some bytes are. */
export function numberIn(bytes: Uint8Array): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

function tokenOf(head: Uint8Array, hmac: Uint8Array): string {
  const token = new Uint8Array(TOKEN_BYTES);
  token.set(head);
  token.set(hmac.subarray(0, TOKEN_BYTES - head.length), head.length);
  return toBase64Url(token);
}
