const HOUR_S = 3_600;

/**
 * Writes dates and money as a booking's page and its mails do, in the language of the widget's page. Dates and times are
 * the school's and belong to no zone here.
 */
export class Formats {
  readonly locale: string;
  readonly #written: string;

  constructor(locale: string) {
    this.locale = locale;
    this.#written = locale.replace(/^en\b.*/, "en-GB");
  }

  money(amount: number, currency: string): string {
    const written = currency === "INR" ? this.#written.replace("GB", "IN") : this.#written;
    return new Intl.NumberFormat(written, { style: "currency", currency }).format(amount);
  }

  minutes(minutes: number): string {
    return new Intl.NumberFormat(this.locale, { style: "unit", unit: "minute" }).format(minutes);
  }

  /** Such as "Hindi, Marathi, English", without a word for "and". */
  list(words: string[]): string {
    return new Intl.ListFormat(this.locale, { type: "unit", style: "short" }).format(words);
  }

  /** Such as "Tuesday, 24 November 2026". */
  day(date: string): string {
    return this.#write(date, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  }

  /** Such as "Tue 24 Nov, 10:00". */
  moment(date: string, time: string): string {
    const day = this.#write(date, { weekday: "short", day: "numeric", month: "short" });
    return `${day}, ${time}`;
  }

  month(month: string): string {
    return this.#write(month, { month: "long", year: "numeric" });
  }

  /** Such as "Australian Eastern Daylight Time", as it is called on that date. */
  zone(timeZone: string, date: string): string {
    const parts = new Intl.DateTimeFormat(this.locale, { timeZone, timeZoneName: "long" });
    return (
      parts.formatToParts(new Date(`${date}T12:00Z`)).find(({ type }) => type === "timeZoneName")?.value ??
      timeZone
    );
  }

  /** The names of the days, short and long, from the first of the week on. */
  weekdays(): { short: string; long: string }[] {
    return Array.from({ length: 7 }, (_, index) => {
      // 16 January 2000 was a Sunday.
      const date = `2000-01-${16 + this.firstWeekday() + index}`;
      return { short: this.#write(date, { weekday: "short" }), long: this.#write(date, { weekday: "long" }) };
    });
  }

  /** The first day of the week, 0 for Sunday; Monday where the browser does not know. */
  firstWeekday(): number {
    const locale = new Intl.Locale(this.locale) as Intl.Locale & {
      getWeekInfo?: () => { firstDay: number };
    };
    return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
  }

  #write(date: string, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.#written, { ...options, timeZone: "UTC" }).format(new Date(date));
  }
}

/** Puts values into the `{names}` of a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** The date where the school is, as YYYY-MM-DD; the visitor's own where its zone is not known yet. */
export function today(timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(Date.now());
}

/** The date some days or months after another; a month counts from its first day. */
export function shift(date: string, days: number, months = 0): string {
  const moved = new Date(months === 0 ? date : date.slice(0, 7));
  moved.setUTCMonth(moved.getUTCMonth() + months);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** Seconds as mm:ss, from an hour on as h:mm:ss. */
export function clock(seconds: number): string {
  const hours = Math.floor(seconds / HOUR_S);
  return (hours > 0 ? `${hours}:` : "") + new Date(seconds * 1_000).toISOString().slice(14, 19);
}
