const encoder = new TextEncoder();

/** Whether a signature is the HMAC of all the data, one after the other, under a secret; compared in constant time. */
export async function verifies(
  hash: "SHA-1" | "SHA-256",
  secret: string | Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer> | undefined,
  ...data: (Uint8Array<ArrayBuffer> | string)[]
): Promise<boolean> {
  const bytes = typeof secret === "string" ? encoder.encode(secret) : secret;
  if (signature === undefined || bytes.length === 0) return false;
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash }, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, signature, await new Blob(data).arrayBuffer());
}

/** The bytes of a text in base64 or hexadecimal, or undefined where it is neither. */
export function decode(text: string, encoding: "base64" | "hex"): Uint8Array<ArrayBuffer> | undefined {
  try {
    return encoding === "hex" ? Uint8Array.fromHex(text) : Uint8Array.fromBase64(text);
  } catch {
    return undefined;
  }
}
