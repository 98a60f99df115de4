const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** A ULID of the time `epochMs`: 48 bits of time and 80 random ones, as 26 characters that sort by time. */
export function ulid(epochMs: number): string {
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_CHARACTERS)))
    random += ALPHABET.charAt(byte % 32);
  return ulidTime(epochMs) + random;
}

/** Whether a text looks like a ULID. */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

/** What every ULID of the time `epochMs` begins with. */
export function ulidTime(epochMs: number): string {
  let time = "";
  for (let rest = epochMs, place = 0; place < TIME_CHARACTERS; place += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return time;
}
