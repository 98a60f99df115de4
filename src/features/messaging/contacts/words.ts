import { countriesOf } from "#shared/contact/phone.ts";

/** What a whole message of one word says: that nothing may be sent any more, or that it may again. */
export type Wish = "out" | "in";
type Words = Record<Wish, readonly string[]>;

/** The longest word that a company may have of its own. */
export const MOST_WORD_CHARACTERS = 40;

// The words that carriers know everywhere; https://help.twilio.com/articles/223134027 has them for SMS. Not `cancel`,
// which in a booking's reply means the booking.
const EVERYWHERE: Words = {
  out: ["stop", "stopall", "unsubscribe", "optout", "opt out", "revoke"],
  in: ["start", "unstop", "subscribe"],
};
const BY_SMS: readonly string[] = ["end", "quit"];
const FRENCH: Words = { out: ["arret", "arrêt"], in: [] };
const SPANISH: Words = { out: ["alto", "parar"], in: [] };
const HINDI: Words = {
  out: ["बंद", "बंद करें", "बंद करो", "रोकें", "रोको", "स्टॉप", "band", "band karo", "roko"],
  in: ["शुरू", "शुरू करें", "चालू", "shuru"],
};
const BY_COUNTRY: Record<string, Words> = {
  IN: HINDI,
  FR: FRENCH,
  CA: FRENCH,
  ES: SPANISH,
  US: SPANISH,
};

/** A message as words are compared: without case, spaces around it and closing punctuation. */
export function plainWord(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  return plain.replace(/[\p{P}\s]+$/u, "").trim();
}

/**
 * What a whole message wishes, by the words of the company's country and of the sender's own; null for any other message.
 * `number` is the sender's in E.164, where it is known.
 */
export function wishOf(
  text: string,
  { channel, country, number }: { channel: "sms" | "chatapp"; country: string; number: string | null },
): Wish | null {
  const word = plainWord(text);
  const countries = new Set([country, ...(number === null ? [] : countriesOf(number))]);
  const known = [EVERYWHERE, ...[...countries].map((name) => BY_COUNTRY[name])];
  const says = (wish: Wish) => known.some((words) => words?.[wish].includes(word));
  if (says("out") || (channel === "sms" && BY_SMS.includes(word))) return "out";
  return says("in") ? "in" : null;
}

/** Whether a word opts in, in any country: no company may make it one that opts out. */
export function isOptIn(word: string): boolean {
  return [EVERYWHERE, ...Object.values(BY_COUNTRY)].some((words) => words.in.includes(word));
}
