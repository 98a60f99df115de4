const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const CHARACTERS = 26;

/** A booking's id of 130 random bits, out of a token of `ctx.newToken`: it is all that its holder has to show. */
export function bookingId(token: string): string {
  const bytes = Uint8Array.fromBase64(token, { alphabet: "base64url" }).subarray(0, CHARACTERS);
  return `bkg_${Array.from(bytes, (byte) => ALPHABET.charAt(byte % 32)).join("")}`;
}
