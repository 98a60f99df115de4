import { phoneDigits } from "#shared/contact/phone.ts";

const FEWEST_DIGITS = 5;

/** A phone number as `+` and digits; null for what is none. */
export function usablePhone(text: string | null | undefined): string | null {
  const digits = phoneDigits(text ?? "");
  if (digits.length < FEWEST_DIGITS) return null;
  return text?.trim().startsWith("+") ? `+${digits}` : digits;
}
