const MATCHED_DIGITS = 9;

/** The ASCII digits of a phone number as people write it. */
export function phoneDigits(text: string): string {
  return text.replace(/[^0-9]/g, "");
}

const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;

/** Whether somebody could be called at it: 7 to 15 digits, and what people write between them, with an extension or not. */
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
