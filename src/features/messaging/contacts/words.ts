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
  out: [
    "बंद",
    "बंद करें",
    "बंद करो",
    "बन्द",
    "बन्द करें",
    "बन्द करो",
    "रोकें",
    "रोको",
    "स्टॉप",
    "band",
    "band karo",
    "roko",
  ],
  in: ["शुरू", "शुरू करें", "चालू", "shuru"],
};
const BY_COUNTRY: Record<string, Words> = {
  IN: HINDI,
  FR: FRENCH,
  CA: FRENCH,
  ES: SPANISH,
  US: SPANISH,
};

// Behind the word, these say it once more: "stop sending messages", "band karo please". Any other word may turn it:
// "stop by at 5", "band hai kya" (is it closed?), "roko mat" (do not stop).
const COURTESY = new Set(
  "please pls plz thanks thank you now it this all me us sending texting messaging sms msg msgs message messages text texts ads promotions sir madam ji कृपया प्लीज प्लीज़ जी अब".split(
    " ",
  ),
);
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

/** The words of a message of at most three, without the courtesy behind them. */
function withoutCourtesy(word: string): string {
  const words = word.split(" ");
  if (words.length > MOST_WORDS) return word;
  const last = words.findLastIndex((one) => !COURTESY.has(one));
  return words.slice(0, last + 1).join(" ");
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
  return [EVERYWHERE, ...Object.values(BY_COUNTRY)].some((words) => words.in.includes(word));
}
