const MATCHED_DIGITS = 9;

/** The ASCII digits of a phone number as people write it. */
export function phoneDigits(text: string): string {
  return text.replace(/[^0-9]/g, "");
}

/** The last 9 digits, by which numbers with and without a country code match; null when there are fewer. */
export function phoneLast9(text: string): string | null {
  const digits = phoneDigits(text);
  return digits.length < MATCHED_DIGITS ? null : digits.slice(-MATCHED_DIGITS);
}
