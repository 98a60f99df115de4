const encoder = new TextEncoder();

/** A key for one purpose out of the master key (HKDF-SHA-256), so that no two purposes share one. */
export async function deriveBits(masterKey: string, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const master = await crypto.subtle.importKey("raw", Uint8Array.fromBase64(masterKey), "HKDF", false, [
    "deriveBits",
  ]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, master, 256));
}
