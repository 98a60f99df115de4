import { expect, test } from "vitest";
import { amountInWords } from "../../../src/features/invoices/words.ts";

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
  for (const [minor, words] of amounts) expect(amountInWords(minor)).toBe(words);
});
