import { describe, expect, test } from "vitest";
import { formatDate, formatMoney, formatShortDate, formatTime } from "#shared/text/formats.ts";
import { WORDS } from "../../../src/features/bookings/page/words/words.ts";
import { HINDI as PAPERS_IN_HINDI } from "../../../src/features/invoices/page/words/hindi.ts";
import { DEFAULTS } from "../../../src/features/notifications/defaults/defaults.ts";
import { dateIn, momentIn, moneyIn } from "../../../src/features/notifications/send/formats.ts";
import { Formats } from "../../../src/widget/formats.ts";

const DATE = "2026-12-01";
const START = "14:05";
const AMOUNT = 1_234_567.5;

const PLACES = [
  ["India in English", "en", "INR", "Asia/Kolkata", "2026-12-01T08:35Z", "₹12,34,567.50", ["en", "en-IN"]],
  ["India in Hindi", "hi", "INR", "Asia/Kolkata", "2026-12-01T08:35Z", "₹12,34,567.50", ["hi", "hi-IN"]],
  [
    "Australia",
    "en",
    "AUD",
    "Australia/Sydney",
    "2026-12-01T03:05Z",
    "A$1,234,567.50",
    ["en", "en-AU", "en-US"],
  ],
] as const;

describe.each(PLACES)("in %s", (_, language, currency, zone, instant, amount, languages) => {
  const { locale } = WORDS[language];

  test("the widget, a booking's page and its mails write an amount alike", () => {
    expect(formatMoney(AMOUNT * 100, currency, locale)).toBe(amount);
    expect(moneyIn(language, AMOUNT * 100, currency)).toBe(amount);
    for (const one of languages) expect(new Formats(one).money(AMOUNT, currency)).toBe(amount);
  });

  test("and a time and its day", () => {
    expect(formatTime(Date.parse(instant), zone)).toBe(START);
    expect(momentIn(language, Date.parse(instant), zone)).toBe(`${formatDate(DATE, locale)}, ${START}`);
    expect(dateIn(language, DATE)).toBe(formatDate(DATE, locale));
    for (const one of languages) {
      const formats = new Formats(one);
      expect(formats.moment(DATE, START)).toBe(`${formatShortDate(DATE, locale)}, ${START}`);
      expect(formats.day(DATE)).toBe(formatDate(DATE, locale));
    }
  });
});

test('the widget\'s lists have commas alone: in Hindi none stands before a word for "and"', () => {
  for (const one of ["hi", "hi-IN", "en"])
    expect(new Formats(one).list(["हिन्दी", "मराठी", "अंग्रेज़ी"])).toBe("हिन्दी, मराठी, अंग्रेज़ी");
});

test("in Hindi an invoice has one word, on itself, in the mails and on a booking's page", () => {
  const [word = ""] = PAPERS_IN_HINDI.titles.invoice.split(" ");
  expect(WORDS.hi.papers.invoice).toBe(word);
  const mails = Object.values(DEFAULTS.hi).map(({ subject, html }) => subject + html);
  expect(mails.filter((mail) => mail.includes(word)).length).toBeGreaterThan(4);
  const texts = JSON.stringify([mails, Object.values(WORDS.hi).map(String)]);
  for (const other of ["इनवॉइस", "इनवॉयस", "बिल "]) expect(texts).not.toContain(other);
});
