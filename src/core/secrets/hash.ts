const encoder = new TextEncoder();

/** Text as lower-case hexadecimal SHA-256. */
export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Compares texts in constant time; hashed first, for that comparison asks for equal lengths. */
export async function equalTexts(one: string, other: string): Promise<boolean> {
  const digests = await Promise.all(
    [one, other].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))),
  );
  const [first, second] = digests;
  return first !== undefined && second !== undefined && crypto.subtle.timingSafeEqual(first, second);
}
