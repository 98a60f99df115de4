import { numberInWords, type Scales } from "./amount-in-words.ts";

const BELOW_HUNDRED = `
  शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस
  बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस
  चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ
  साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उनासी
  अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सतासी अठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पंचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे
`
  .trim()
  .split(/\s+/);
const SCALES: Scales = [
  { size: 10_000_000, name: "करोड़" },
  { size: 100_000, name: "लाख" },
  { size: 1_000, name: "हज़ार" },
  { size: 100, name: "सौ" },
];
const HUNDREDTHS: Readonly<Record<string, string>> = { INR: "पैसे", GBP: "पेंस", MYR: "सेन" };
const currencies = new Intl.DisplayNames("hi", { type: "currency" });

/** A non-negative amount of hundredths in Hindi words, by lakh and crore: `तीन सौ चौवन रुपये और पचास पैसे मात्र`. */
export function amountInHindi(minor: number, currency: string): string {
  const rest = minor % 100;
  const whole = numberInWords((minor - rest) / 100, SCALES, belowHundred);
  const name = currency === "INR" ? "रुपये" : currencies.of(currency);
  const hundredths = rest === 0 ? "" : ` और ${belowHundred(rest)} ${HUNDREDTHS[currency] ?? "सेंट"}`;
  return `${whole} ${name}${hundredths} मात्र`;
}

function belowHundred(value: number): string {
  return BELOW_HUNDRED[value] ?? "";
}
