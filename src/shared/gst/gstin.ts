const FORMS = [
  /^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][1-9ABD-JZ][0-9A-Z]$/, // regular
  /^[0-9]{2}[A-Z]{4}[0-9]{5}[A-Z][0-9]Z[0-9]$/, // government department
  /^[0-9]{4}[A-Z]{3}[0-9]{5}[OU]N[0-9A-Z]$/, // UIN of a United Nations body or an embassy
  /^[0-9]{2}[A-Z]{4}[0-9A-Z][0-9]{4}[A-Z][1-9A-Z]D[0-9A-Z]$/, // deducts tax at source (TDS)
  /^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]C[0-9A-Z]$/, // collects tax at source (TCS)
  /^[0-9]{4}[A-Z]{3}[0-9]{5}NR[0-9A-Z]$/, // non-resident
  /^99[0-9]{2}[A-Z]{3}[0-9]{5}OS[0-9A-Z]$/, // online services from abroad (OIDAR)
];
const PAN = /^[A-Z]{5}[0-9]{4}[A-Z]$/;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BASE = ALPHABET.length;

export type Gstin = { gstin: string; stateCode: string; pan: string | null };

/** The check digit of a GSTIN's first 14 characters (digits and capital letters): Luhn in base 36. */
export function gstinCheckDigit(first14: string): string {
  let sum = 0;
  for (const [index, character] of [...first14].entries()) {
    const product = ALPHABET.indexOf(character) * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / BASE) + (product % BASE);
  }
  return ALPHABET.charAt((BASE - (sum % BASE)) % BASE);
}

/** What its holder is to GST, by its form: a UIN ends in UN or ON and a check digit, TDS in D, TCS in C. */
export function categoryOfGstin(gstin: string): "regular" | "uin" | "tds" | "tcs" {
  if (/[OU]N.$/.test(gstin)) return "uin";
  if (/D.$/.test(gstin)) return "tds";
  return /C.$/.test(gstin) ? "tcs" : "regular";
}

/**
 * A GSTIN of any form, trimmed and in capitals, or undefined when its shape or check digit is wrong.
 * `stateCode` is its first two digits, of no state for 99; `pan` is null for the forms that carry none.
 */
export function parseGstin(text: string): Gstin | undefined {
  const gstin = text.trim().toUpperCase();
  if (!FORMS.some((form) => form.test(gstin))) return undefined;
  if (gstinCheckDigit(gstin.slice(0, 14)) !== gstin.charAt(14)) return undefined;
  const holder = gstin.slice(2, 12);
  return { gstin, stateCode: gstin.slice(0, 2), pan: PAN.test(holder) ? holder : null };
}
