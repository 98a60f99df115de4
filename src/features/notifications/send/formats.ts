import { companyDate } from "#core/calendar.ts";
import type { Language } from "#shared/text/language.ts";

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

/** An instant by the clocks of a zone: `Tuesday, 1 December 2026, 14:05`. */
export function momentIn(language: Language, instant: number, timeZone: string): string {
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", timeZone };
  const clock = new Intl.DateTimeFormat("en-GB", time).format(instant);
  return `${dateIn(language, companyDate(instant, timeZone))}, ${clock}`;
}

/** An amount of hundredths with the sign of its currency: rupees are grouped by lakh and crore. */
export function moneyIn(language: Language, minor: number, currency: string): string {
  const english = currency === "INR" ? "en-IN" : "en-GB";
  const locale = language === "hi" ? "hi-IN" : english;
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(minor / 100);
}
