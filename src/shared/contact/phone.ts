import { PHONE_PLANS, type PhonePlan } from "./phone-plans.ts";

const MATCHED_DIGITS = 9;

/**
 * A phone number as it was written, with ASCII digits, blanks and hyphens, and without invisible marks: address books put
 * direction marks around numbers, and others no-break signs into them.
 */
export function plainPhone(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit);
}

/** The digits of each script stand side by side, from 0 to 9. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** The digits of a phone number as people write it, in ASCII; none of one whose digits are lost. */
export function phoneDigits(text: string): string {
  return isRoundedNumber(text) ? "" : plainPhone(text).replace(/[^0-9]/g, "");
}

/** Whether a spreadsheet rounded it, as in 9.19845E+11: all people of a sheet then share the text. */
export function isRoundedNumber(text: string | null | undefined): boolean {
  return /^\s*\d(?:[.,]\d*)?e\+?\d{1,2}\s*$/i.test(plainPhone(text ?? ""));
}

const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;

/** Whether it can be a phone number: 7 to 15 digits, and what people write between them, with an extension or not. */
export function isPhone(text: string): boolean {
  const [number = ""] = text.split(/(?:ext\.?|x|#)/i, 1);
  const { length } = phoneDigits(number);
  return /^[\d\s+().\-/]+$/.test(number) && length >= FEWEST_DIGITS && length <= MOST_DIGITS;
}

/** The last 9 digits, by which numbers with and without a country code match; null when there are fewer. */
export function phoneLast9(text: string): string | null {
  const digits = phoneDigits(text);
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
  const digits = phoneDigits(text);
  if (/^\s*\+/.test(text)) return international(digits);
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

function international(digits: string): string | null {
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
