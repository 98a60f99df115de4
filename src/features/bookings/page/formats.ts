const dates = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const shortDates = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** A date in words: `Tuesday 1 December 2026`. */
export function formatDate(date: string): string {
  return dates.format(Date.parse(date));
}

/** A date where many stand side by side: `Tue 1 Dec`. */
export function formatShortDate(date: string): string {
  return shortDates.format(Date.parse(date));
}

/** An amount of hundredths with the sign of its currency, grouped as those who use it do. */
export function formatMoney(minor: number, currency: string): string {
  const locale = currency === "INR" ? "en-IN" : "en-GB";
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(minor / 100);
}

/** The time of day of an instant in a zone: `14:05`. */
export function formatTime(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(instant);
}
