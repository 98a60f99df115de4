import { deriveBits } from "./derive-key.ts";

const encoder = new TextEncoder();

/** An HMAC-SHA-256 that only this service can make of a text, for one purpose. */
export async function hmacOf(
  masterKey: string,
  purpose: string,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const bits = await deriveBits(masterKey, purpose);
  const key = await crypto.subtle.importKey("raw", bits, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}
