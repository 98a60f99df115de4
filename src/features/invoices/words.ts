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
const SCALES = [
  { size: 10_000_000, name: "Crore" },
  { size: 100_000, name: "Lakh" },
  { size: 1_000, name: "Thousand" },
  { size: 100, name: "Hundred" },
];

/** A non-negative amount of paise in words, by Indian numbering: `Rupees One Lakh and Fifty Paise Only`. */
export function amountInWords(minor: number): string {
  const paise = minor % 100;
  const rupees = numberInWords((minor - paise) / 100);
  return `Rupees ${rupees}${paise === 0 ? "" : ` and ${numberInWords(paise)} Paise`} Only`;
}

function numberInWords(value: number): string {
  for (const { size, name } of SCALES) {
    if (value < size) continue;
    const rest = value % size;
    const head = `${numberInWords((value - rest) / size)} ${name}`;
    return rest === 0 ? head : `${head} ${numberInWords(rest)}`;
  }
  if (value < 20) return UP_TO_NINETEEN[value] ?? "";
  const tens = TENS[Math.floor(value / 10)] ?? "";
  return value % 10 === 0 ? tens : `${tens}-${UP_TO_NINETEEN[value % 10]}`;
}
