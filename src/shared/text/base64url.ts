/** The bytes as base64 for addresses and headers, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** The bytes that such a text stands for; throws a SyntaxError for any other. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}
