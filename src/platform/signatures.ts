const encoder = new TextEncoder();
const HEX = /^(?:[0-9a-f]{2})+$/i;

/** Whether `signature`, in hexadecimal, is the HMAC-SHA-256 of the bytes under a secret; compared in constant time. */
export async function hmacMatches(
  secret: string,
  signature: string,
  ...data: (Uint8Array<ArrayBuffer> | string)[]
): Promise<boolean> {
  if (secret === "" || !HEX.test(signature)) return false;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  const bytes = await new Blob(data).arrayBuffer();
  return crypto.subtle.verify(algorithm, key, Uint8Array.fromHex(signature), bytes);
}
