import { PHONE_PLANS, type PhonePlan } from "./phone-plans.ts";

const MATCHED_DIGITS = 9;

/**
 * A phone number as it was written, with ASCII digits, blanks and hyphens, and without invisible marks: address books put
 * direction marks around numbers, others no-break signs into them, and sheets have `9845067901.0`.
 */
export function plainPhone(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replace(/(?<=\d{7})\.0+(?=\D*$)/, "");
}

/** The digits of each script stand side by side, from 0 to 9. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** All digits of a text, in ASCII; it may hold several numbers, or none. */
export function phoneDigits(text: string): string {
  return plainPhone(text).replace(/[^0-9]/g, "");
}

const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;

const EXTENSION = /(?<!\p{L})(?:ext(?:n|ension)?|x|#)[\s.:=]*\d{1,7}\W*$/iu;
const WITH_SEPARATORS = /\d[\d\s().,/-]*/g;
// Signs in the place of digits, and letters at a digit, as in 9.19845E+11: there a digit may be missing.
const UNREAD = /[*#_?^~•●]|[.-]{3}|(?<!\p{L})x+(?!\p{L})|\p{L}\d|\d\p{L}/iu;
// 9845067891-92, and two numbers with a blank between them.
const SEVERAL = /\d{7}[\s.-]+\d{7}|\d{5}[\s-]?\d{5}[\s.-]+\d{1,3}\D*$/;
const ROUNDED = /^[^\p{L}\d]*\d[\d.,\s]*(?:e|[*x×]\s*10\s*\^?)\s*[+-]?\s*\d{1,3}[^\p{L}\d]*$/iu;
const MASKED = /[*#_?•●]{2}|(?<!\p{L})xx+(?!\p{L})/iu;
const PLACEHOLDER = /^\+?(\d)\1*$|(\d)\2{8}$/;

/** What a text has as one number, as `+` and digits, without an extension; null where it is none, several, or a part of one. */
function writtenNumber(text: string): string | null {
  const plain = plainPhone(text);
  const number = plain.replace(EXTENSION, "");
  const [run, ...others] = number.match(WITH_SEPARATORS) ?? [];
  if (run === undefined || others.length > 0 || UNREAD.test(number) || SEVERAL.test(run)) return null;
  const plus = /\+[\s(]*\d/.test(number) ? "+" : "";
  const [first = "", ...rest] = run.split(/[,/]/).map(phoneDigits);
  const digits = phoneDigits(run);
  // In +49 821/123456 and 080/23456789 the first part is an area.
  if (first.length >= FEWEST_DIGITS + plus.length * 2 && rest.some(Boolean)) return null;
  const isCut = number !== plain && digits.length < FEWEST_DIGITS;
  return isCut || digits.length > MOST_DIGITS + "00".length ? null : plus + digits;
}

/** The number by which a person is known and called: the one that a text has, where it is whole and no placeholder. */
export function numberIn(text: string): string | null {
  const number = writtenNumber(text);
  if (number === null || PLACEHOLDER.test(number)) return null;
  return number.startsWith("+") ? international(number.slice(1)) : number;
}

/** Whether digits are lost: rounded, as in 9.19845E+11, or masked. All people of a sheet may then share the text. */
export function isIncomplete(text: string): boolean {
  const plain = plainPhone(text);
  const isLost = ROUNDED.test(plain) || (MASKED.test(plain) && /\d/.test(plain));
  return isLost && writtenNumber(text) === null;
}

/** Whether it can be a phone number: 7 to 15 digits, and what people write between them, with an extension or not. */
export function isPhone(text: string): boolean {
  const { length } = writtenNumber(text)?.replace("+", "") ?? "";
  const isWritten = /^[\d\s+().\-/]+$/.test(plainPhone(text).replace(EXTENSION, ""));
  return isWritten && length >= FEWEST_DIGITS && length <= MOST_DIGITS;
}

/** The last 9 digits, by which numbers with and without a country code match; null when there are fewer. */
export function phoneLast9(text: string): string | null {
  const digits = numberIn(text)?.replace("+", "") ?? "";
  return digits.length < MATCHED_DIGITS ? null : digits.slice(-MATCHED_DIGITS);
}

/** The last 9 digits, or all of a shorter number. */
export function lastDigits(text: string): string {
  return phoneDigits(text).slice(-MATCHED_DIGITS);
}

/**
 * A number in E.164 (`+919845000001`): one with `+` or `00` as it stands, else as it is dialled in the country, else
 * with another country's calling code. Null for what fits no rule.
 */
export function e164(text: string, country: string): string | null {
  const digits = numberIn(text);
  if (digits === null || digits.startsWith("+")) return digits;
  if (digits.startsWith("00")) return international(digits.slice(2));
  const home = PHONE_PLANS[country];
  const here = home === undefined ? null : dialled(digits, home);
  return here ?? abroad(digits);
}

/** The digits that a country reads as a number in E.164: with its code, with 00 before it, and as it is dialled at home. */
export function spellingsOf(number: string, country: string): string[] {
  const digits = phoneDigits(number);
  const plan = PHONE_PLANS[country];
  const spellings = [digits, `00${digits}`];
  if (plan !== undefined && digits.startsWith(plan.code)) {
    const national = digits.slice(plan.code.length);
    spellings.push(national, (plan.trunk ?? "") + national);
  }
  return [...new Set(spellings)].filter((spelling) => e164(spelling, country) === number);
}

/** The countries (ISO 3166-1 alpha-2) that a number in E.164 may be of: all with its calling code, where their rules are known. */
export function countriesOf(number: string): string[] {
  const plans = Object.entries(PHONE_PLANS).filter(([, { code }]) => number.startsWith(`+${code}`));
  const longest = Math.max(...plans.map(([, { code }]) => code.length));
  return plans.flatMap(([country, { code }]) => (code.length === longest ? [country] : []));
}

/** A trunk prefix, as in +91 (0) 98450 67900, is left out. Where a country's numbers have one length, no other is whole. */
function international(digits: string): string | null {
  const plan = Object.values(PHONE_PLANS).find(({ code }) => digits.startsWith(code));
  if (plan === undefined) return digitsOfE164(digits);
  const { code, trunk, shortest, longest } = plan;
  const rest = digits.slice(code.length);
  const dialled = trunk !== null && rest.startsWith(trunk) ? rest.slice(trunk.length) : rest;
  const national = fits(dialled, plan) ? dialled : rest;
  return shortest === longest && !fits(national, plan) ? null : digitsOfE164(code + national);
}

function digitsOfE164(digits: string): string | null {
  return /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : null;
}

function dialled(digits: string, plan: PhonePlan): string | null {
  const { code, trunk } = plan;
  const national = trunk !== null && digits.startsWith(trunk) ? digits.slice(trunk.length) : undefined;
  if (national !== undefined && fits(national, plan)) return `+${code}${national}`;
  return coded(digits, plan) ?? (fits(digits, plan) && national === undefined ? `+${code}${digits}` : null);
}

/** Clients often leave the plus out. */
function coded(digits: string, plan: PhonePlan): string | null {
  return digits.startsWith(plan.code) && fits(digits.slice(plan.code.length), plan) ? `+${digits}` : null;
}

function abroad(digits: string): string | null {
  for (const plan of Object.values(PHONE_PLANS)) {
    const number = coded(digits, plan);
    if (number !== null) return number;
  }
  return null;
}

function fits(national: string, { shortest, longest }: PhonePlan): boolean {
  return national.length >= shortest && national.length <= longest;
}
