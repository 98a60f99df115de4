import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, isoDate, timestampToWire } from "#shared/time/dates.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";

const calendarDate = fc
  .date({ min: new Date("1900-01-01T00:00:00Z"), max: new Date("2999-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test("every calendar date from 1900 to 2999 is a date", () => {
  fc.assert(
    fc.property(calendarDate, (date) => {
      expect(isoDate.parse(date)).toBe(date);
    }),
  );
});

test("days that no calendar has, and other notations, are refused as invalid_date", () => {
  const refused = [
    "2026-02-29",
    "2026-02-30",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-01-32",
    "1899-12-31",
    "3000-01-01",
    "2026-1-1",
    "26-01-01",
    "2026-01-01T00:00:00Z",
    " 2026-01-01",
    "2026-01-01\n",
    "01/02/2026",
    "+002026-01-01",
    "２０２６-01-01",
    "today",
    "",
  ];
  for (const text of refused) {
    expect(isoDate.safeParse(text).error?.issues, text).toMatchObject([{ params: { code: "invalid_date" } }]);
  }
  expect(isoDate.parse("2024-02-29")).toBe("2024-02-29");
});

test("a day later crosses months, years and leap days", () => {
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
});

test("days added are days taken back, and never go backwards", () => {
  fc.assert(
    fc.property(calendarDate, fc.integer({ min: 0, max: 3650 }), (date, days) => {
      expect(addDays(addDays(date, days), -days)).toBe(date);
      expect(addDays(date, days) >= date).toBe(true);
    }),
  );
});

test("a timestamp is written in UTC with milliseconds", () => {
  expect(timestampToWire(0)).toBe("1970-01-01T00:00:00.000Z");
});

test.each([
  ["IN", "1 April", "2026-03-31", "2026-04-01", "2027-03-31"],
  ["AU", "1 July", "2026-06-30", "2026-07-01", "2027-06-30"],
])("in %s the financial year turns on %s", (country, _, before, start, end) => {
  expect(financialYearOf(before, country).short).toBe("25-26");
  expect(financialYearOf(start, country)).toEqual({ name: "2026-27", short: "26-27", start, end });
  expect(financialYearOf("2099-07-01", country).name).toBe("2099-00");
});

test("a date lies within its financial year, and the year's two ends belong to it", () => {
  fc.assert(
    fc.property(calendarDate, fc.constantFrom("IN", "AU"), (date, country) => {
      const year = financialYearOf(date, country);
      expect(year.start <= date && date <= year.end).toBe(true);
      expect(financialYearOf(year.start, country)).toEqual(year);
      expect(financialYearOf(year.end, country)).toEqual(year);
    }),
  );
});
