type Style = Intl.DateTimeFormatOptions;

// Making a formatter costs a hundred times what using it does.
const made = new Map<string, Intl.DateTimeFormat>();
const LONG: Style = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
const SHORT: Style = { weekday: "short", day: "numeric", month: "short" };

function formatterOf(name: string, locale: string, style: Style): Intl.DateTimeFormat {
  const key = `${name} ${locale}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" });
  made.set(key, formatter);
  return formatter;
}

/** A date in words: `Tuesday 1 December 2026`. */
export function formatDate(date: string, locale: string): string {
  return formatterOf("long", locale, LONG).format(Date.parse(date));
}

/** A date where many stand side by side: `Tue 1 Dec`. */
export function formatShortDate(date: string, locale: string): string {
  return formatterOf("short", locale, SHORT).format(Date.parse(date));
}

/** An amount of hundredths with the sign of its currency, grouped as those who use it do. */
export function formatMoney(minor: number, currency: string, locale: string): string {
  const grouped = locale === "en-GB" && currency === "INR" ? "en-IN" : locale;
  return new Intl.NumberFormat(grouped, { style: "currency", currency }).format(minor / 100);
}

/** The time of day of an instant in a zone: `14:05`. */
export function formatTime(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(instant);
}
