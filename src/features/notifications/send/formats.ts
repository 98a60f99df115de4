import type { Language } from "../tables.ts";

const dates = { en: datesOf("en-GB"), hi: datesOf("hi-IN") };

function datesOf(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** A `YYYY-MM-DD` date in words: `Tuesday, 1 December 2026`. */
export function dateIn(language: Language, date: string): string {
  return dates[language].format(Date.parse(date));
}

/** The time of day of an instant in a zone: `14:05`. */
export function timeAt(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(instant);
}

/** An amount of hundredths with the sign of its currency: rupees are grouped by lakh and crore. */
export function moneyIn(language: Language, minor: number, currency: string): string {
  const english = currency === "INR" ? "en-IN" : "en-GB";
  const locale = language === "hi" ? "hi-IN" : english;
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(minor / 100);
}
