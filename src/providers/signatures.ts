const encoder = new TextEncoder();

/** Whether `signature` is the HMAC of `data`; compared in constant time. */
export async function verifies(
  hash: "SHA-1" | "SHA-256",
  secret: string | Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer> | string,
  signature: Uint8Array<ArrayBuffer> | undefined,
): Promise<boolean> {
  if (signature === undefined) return false;
  const bytes = typeof secret === "string" ? encoder.encode(secret) : secret;
  if (bytes.length === 0) return false;
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash }, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, signature, typeof data === "string" ? encoder.encode(data) : data);
}

/** The bytes of a text in base64 or hexadecimal, or undefined where it is neither. */
export function decode(text: string, encoding: "base64" | "hex"): Uint8Array<ArrayBuffer> | undefined {
  try {
    return encoding === "hex" ? Uint8Array.fromHex(text) : Uint8Array.fromBase64(text);
  } catch {
    return undefined;
  }
}
