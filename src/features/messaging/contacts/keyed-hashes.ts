import type { KeyedHash } from "#core/secrets/company-hmac.ts";
import type { Channel } from "../messages/channel.ts";

/** What stands in the place of an address whose person was erased. */
export const ERASED = "erased";
// No address and no number begins so.
const HASHED = `${ERASED}:`;

/** The hashes in the place of a whole number, blank where no rule knows it, and of what an address is matched by. */
export type KeyedHashes = { e164: string; match: string };

/** The hashes that an erased opt-out or suppression has, by what its address is matched by. */
export async function keyedHashesBy(
  hash: KeyedHash,
  channel: Channel,
  { e164, match }: { e164: string | null; match: string },
): Promise<KeyedHashes> {
  const part = HASHED + (await hash(channel === "email" ? "email" : "digits", match));
  return { e164: e164 ? HASHED + (await hash("number", e164)) : "", match: part };
}

/** Whether a text is a keyed hash in the place of an address. */
export function isKeyedHash(text: string): boolean {
  return text.startsWith(HASHED);
}
