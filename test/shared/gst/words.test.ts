import { expect, test } from "vitest";
import { amountInHindi } from "../../../src/features/invoices/page/words/amount-in-hindi.ts";
import { amountInWords } from "../../../src/features/invoices/page/words/amount-in-words.ts";

test("an amount is written in lakhs and crores", () => {
  const amounts: [minor: number, words: string][] = [
    [0, "Rupees Zero Only"],
    [50, "Rupees Zero and Fifty Paise Only"],
    [100, "Rupees One Only"],
    [1_901, "Rupees Nineteen and One Paise Only"],
    [10_000, "Rupees One Hundred Only"],
    [10_100, "Rupees One Hundred One Only"],
    [35_400, "Rupees Three Hundred Fifty-Four Only"],
    [12_345_678, "Rupees One Lakh Twenty-Three Thousand Four Hundred Fifty-Six and Seventy-Eight Paise Only"],
    [1_000_000_000, "Rupees One Crore Only"],
    [
      999_999_999_999,
      "Rupees Nine Hundred Ninety-Nine Crore Ninety-Nine Lakh Ninety-Nine Thousand Nine Hundred Ninety-Nine and Ninety-Nine Paise Only",
    ],
  ];
  for (const [minor, words] of amounts) expect(amountInWords(minor, "INR")).toBe(words);
});

test("an amount of another currency is written in its own words, in thousands and millions", () => {
  const amounts: [minor: number, currency: string, words: string][] = [
    [2_500, "USD", "US Dollars Twenty-Five Only"],
    [1, "GBP", "Pounds Sterling Zero and One Pence Only"],
    [10_000_050, "EUR", "Euros One Hundred Thousand and Fifty Cents Only"],
    [1_000_000_099, "AUD", "Australian Dollars Ten Million and Ninety-Nine Cents Only"],
    [100, "CAD", "Canadian Dollars One Only"],
    [100_000_000_000, "SGD", "Singapore Dollars One Billion Only"],
    [150, "MYR", "Ringgit One and Fifty Sen Only"],
  ];
  for (const [minor, currency, words] of amounts) expect(amountInWords(minor, currency)).toBe(words);
});

test("an amount in Hindi is written in lakhs and crores of its currency", () => {
  const amounts: [minor: number, currency: string, words: string][] = [
    [0, "INR", "शून्य रुपये मात्र"],
    [35_450, "INR", "तीन सौ चौवन रुपये और पचास पैसे मात्र"],
    [12_345_678, "INR", "एक लाख तेईस हज़ार चार सौ छप्पन रुपये और अठहत्तर पैसे मात्र"],
    [1_000_000_000, "INR", "एक करोड़ रुपये मात्र"],
  ];
  for (const [minor, currency, words] of amounts) expect(amountInHindi(minor, currency)).toBe(words);
  // The platform names the currency.
  expect(amountInHindi(2_599, "USD")).toMatch(/^पच्चीस .*डॉलर और निन्यानवे सेंट मात्र$/);
  const named = Array.from({ length: 100 }, (_, rest) => amountInHindi(rest, "INR"));
  expect(new Set(named).size).toBe(100);
});
