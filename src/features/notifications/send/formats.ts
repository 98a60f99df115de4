import { companyDate } from "#core/calendar.ts";
import { formatDate, formatMoney, formatTime } from "#shared/text/formats.ts";
import type { Language } from "#shared/text/language.ts";

const LOCALES = { en: "en-GB", hi: "hi-IN" };

/** A `YYYY-MM-DD` date in words: `Tuesday, 1 December 2026`. */
export function dateIn(language: Language, date: string): string {
  return formatDate(date, LOCALES[language]);
}

/** An instant by the clocks of a zone: `Tuesday, 1 December 2026, 14:05`. */
export function momentIn(language: Language, instant: number, timeZone: string): string {
  return `${dateIn(language, companyDate(instant, timeZone))}, ${formatTime(instant, timeZone)}`;
}

/** An amount of hundredths with the sign of its currency: rupees are grouped by lakh and crore. */
export function moneyIn(language: Language, minor: number, currency: string): string {
  return formatMoney(minor, currency, LOCALES[language]);
}
