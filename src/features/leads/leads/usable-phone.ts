import { numberIn, phoneDigits } from "#shared/contact/phone.ts";

const FEWEST_DIGITS = 5;

/** A phone number as `+` and digits; null for what is none. */
export function usablePhone(text: string | null | undefined): string | null {
  return hasDigits(text) ? numberIn(text ?? "") : null;
}

/** Whether a text has digits enough for a phone number, which a person may read where the API cannot. */
export function hasDigits(text: string | null | undefined): boolean {
  return phoneDigits(text ?? "").length >= FEWEST_DIGITS;
}
