import { fromBase64Url, toBase64Url } from "#shared/text/base64url.ts";
import type { HmacCtx } from "../context.ts";
import { equalTexts } from "./hash.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
/** How many bytes a whole number has in a token's head. */
export const NUMBER_BYTES = 6;

/** What a token is signed for. `head` stands in front of it; `text` holds the head, and what it is bound to besides. */
type Signed = { purpose: string; text: string; head: Uint8Array };

/** A token of 43 characters: its head, and as much of the HMAC of its text as there is room for. */
export async function signedToken(ctx: HmacCtx, signed: Signed): Promise<string> {
  const [token] = await tokensOf(ctx, signed);
  if (token === undefined) throw new Error("There is no key to make an HMAC with");
  return token;
}

/** Whether a token is that of its text; one that was made with the master key before this one counts too. */
export async function isSigned(ctx: HmacCtx, token: string, signed: Signed): Promise<boolean> {
  const made = await tokensOf(ctx, signed);
  const equal = await Promise.all(made.map((one) => equalTexts(one, token)));
  return equal.includes(true);
}

/** The first bytes of a token; null for a text that is none. */
export function headOf(token: string, length: number): Uint8Array<ArrayBuffer> | null {
  return TOKEN.test(token) ? fromBase64Url(token).slice(0, length) : null;
}

/** A whole number as bytes; the highest is first. */
export function bytesOf(number: number): Uint8Array<ArrayBuffer> {
  const powers = Uint8Array.from({ length: NUMBER_BYTES }, (_, place) => NUMBER_BYTES - 1 - place);
  return powers.map((power) => Math.floor(number / 256 ** power) % 256);
}

/** The whole number that some bytes are. */
export function numberIn(bytes: Uint8Array): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

async function tokensOf({ hmacs }: HmacCtx, { purpose, text, head }: Signed): Promise<string[]> {
  const made = await hmacs(purpose, text);
  return made.map((hmac) => toBase64Url(Uint8Array.from([...head, ...hmac]).slice(0, TOKEN_BYTES)));
}
