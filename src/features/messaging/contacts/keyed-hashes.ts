import type { KeyedHash } from "#core/secrets/company-hmac.ts";
import type { Channel } from "../messages/tables.ts";

/** What stands in the place of an address whose person was erased. */
export const ERASED = "erased";
// No address and no number begins so.
const MARKED = `${ERASED}:`;

/** The marks in the place of a whole number, blank where no rule knows it, and of what an address is matched by. */
export type Marks = { e164: string; match: string };

/** The marks that an erased opt-out or suppression has, by what its address is matched by. */
export async function marksBy(
  mark: KeyedHash,
  channel: Channel,
  { e164, match }: { e164: string | null; match: string },
): Promise<Marks> {
  const part = MARKED + (await mark(channel === "email" ? "email" : "digits", match));
  return { e164: e164 ? MARKED + (await mark("number", e164)) : "", match: part };
}

/** Whether a text is a mark in the place of an address. */
export function isMark(text: string): boolean {
  return text.startsWith(MARKED);
}
