// By hand: to-words 5.7 counts a hundred crore as "Arab", joins "Fifty-Four" by a space, and misspells 44 and 51 in Hindi.
export type Scales = readonly { size: number; name: string }[];

const UP_TO_NINETEEN = [
  "Zero",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
  "Thirteen",
  "Fourteen",
  "Fifteen",
  "Sixteen",
  "Seventeen",
  "Eighteen",
  "Nineteen",
];
const TENS = ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];
const INDIAN: Scales = [
  { size: 10_000_000, name: "Crore" },
  { size: 100_000, name: "Lakh" },
  { size: 1_000, name: "Thousand" },
  { size: 100, name: "Hundred" },
];
const WESTERN: Scales = [
  { size: 1_000_000_000, name: "Billion" },
  { size: 1_000_000, name: "Million" },
  { size: 1_000, name: "Thousand" },
  { size: 100, name: "Hundred" },
];
const CURRENCIES: Readonly<Record<string, readonly [whole: string, hundredths: string]>> = {
  INR: ["Rupees", "Paise"],
  USD: ["US Dollars", "Cents"],
  EUR: ["Euros", "Cents"],
  GBP: ["Pounds Sterling", "Pence"],
  AUD: ["Australian Dollars", "Cents"],
  CAD: ["Canadian Dollars", "Cents"],
  SGD: ["Singapore Dollars", "Cents"],
  MYR: ["Ringgit", "Sen"],
};

/**
 * A non-negative amount of hundredths in words of its currency, rupees by Indian numbering:
 * `Rupees One Lakh and Fifty Paise Only`, `US Dollars One Hundred Thousand and Fifty Cents Only`.
 */
export function amountInWords(minor: number, currency: string): string {
  const [whole, hundredths] = CURRENCIES[currency] ?? [currency, "Hundredths"];
  const scales = currency === "INR" ? INDIAN : WESTERN;
  const rest = minor % 100;
  const words = numberInWords((minor - rest) / 100, scales, belowHundred);
  return `${whole} ${words}${rest === 0 ? "" : ` and ${belowHundred(rest)} ${hundredths}`} Only`;
}

/** A whole number in words: by scales from the largest down to a hundred, and a language's words below. */
export function numberInWords(value: number, scales: Scales, below: (rest: number) => string): string {
  for (const { size, name } of scales) {
    if (value < size) continue;
    const rest = value % size;
    const head = `${numberInWords((value - rest) / size, scales, below)} ${name}`;
    return rest === 0 ? head : `${head} ${numberInWords(rest, scales, below)}`;
  }
  return below(value);
}

function belowHundred(value: number): string {
  if (value < 20) return UP_TO_NINETEEN[value] ?? "";
  const tens = TENS[Math.floor(value / 10)] ?? "";
  return value % 10 === 0 ? tens : `${tens}-${UP_TO_NINETEEN[value % 10]}`;
}
