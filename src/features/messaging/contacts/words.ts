import type { Wish } from "#providers/delivery";
import { countriesOf } from "#shared/contact/phone.ts";

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
  out: ["बंद", "बन्द", "रोकें", "रोको", "स्टॉप", "band", "roko"],
  in: ["शुरू", "चालू", "shuru"],
};
const BY_COUNTRY: Record<string, Words> = {
  IN: HINDI,
  FR: FRENCH,
  CA: FRENCH,
  ES: SPANISH,
  US: SPANISH,
};

// Around the word, these say it once more: "please stop", "stop sending messages", "band karo please". Any other word may
// turn it: "stop by at 5", "band hai kya" (is it closed?), "roko mat" (do not stop).
const BEFORE = new Set("please pls plz kindly कृपया प्लीज प्लीज़".split(" "));
const BEHIND = new Set([
  ...BEFORE,
  ..."thanks thank you ok okay now it this all me us sending texting messaging sms msg msgs message".split(
    " ",
  ),
  ..."messages text texts ads promotions spam spamming sir madam ji karo kare karen karein kar do जी अब".split(
    " ",
  ),
  ..."करो करे करें कर दो कीजिए करिए".split(" "),
]);
const MOST_WORDS = 3;

/**
 * A message as words are compared: without case, invisible marks, and what stands around it, such as quotes, stars,
 * closing punctuation and pictures; of signs alone they stay.
 */
export function plainWord(text: string): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/\s+/g, " ");
  const spoken = plain.replace(/^[\p{Pi}\p{Ps}\p{Pd}"'*_~\s]+|[\p{P}\p{S}\s]+$/gu, "");
  return spoken === "" ? plain.replace(/[\p{P}\s]+$/u, "").trim() : spoken;
}

/** The words of a message of at most three, without hyphens, what is said twice in a row, and the courtesy around them. */
function withoutCourtesy(word: string): string {
  const spoken = word.replace(/\p{Pd}/gu, "").split(/[\s,.;:!।]+/u);
  const words = spoken.filter((one, place) => one !== "" && one !== spoken[place - 1]);
  if (words.length > MOST_WORDS) return word;
  const first = Math.max(
    0,
    words.findIndex((one) => !BEFORE.has(one)),
  );
  const last = words.findLastIndex((one) => !BEHIND.has(one));
  return words.slice(first, last + 1).join(" ");
}

/**
 * What a whole message wishes, by the words of the company's country and of the sender's own; null for any other message.
 * `number` is the sender's in E.164, where it is known.
 */
export function wishOf(
  text: string,
  { channel, country, number }: { channel: "sms" | "chatapp"; country: string; number: string | null },
): Wish | null {
  const word = withoutCourtesy(plainWord(text));
  const countries = new Set([country, ...(number === null ? [] : countriesOf(number))]);
  const known = [EVERYWHERE, ...[...countries].map((name) => BY_COUNTRY[name])];
  const says = (wish: Wish) => known.some((words) => words?.[wish].includes(word));
  if (says("out") || (channel === "sms" && BY_SMS.includes(word))) return "out";
  return says("in") ? "in" : null;
}

/** Whether a word opts in, in any country: no company may make it one that opts out. */
export function isOptIn(word: string): boolean {
  return [EVERYWHERE, ...Object.values(BY_COUNTRY)].some((words) => words.in.includes(withoutCourtesy(word)));
}
