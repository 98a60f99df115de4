import { describe, expect, test } from "vitest";
import { isLate, reminderAt, sendAt } from "../../../src/features/notifications/quiet-hours.ts";

const NIGHT = { from: 21 * 60, to: 8 * 60 };
const at = (text: string) => Date.parse(text);
const told = (instant: number) => new Date(instant).toISOString();

describe("a reminder", () => {
  test.each([
    [
      "at the first quiet minute goes the minute before",
      "2026-11-24T23:00+05:30",
      2,
      "Asia/Kolkata",
      "2026-11-24T20:59+05:30",
    ],
    [
      "at the end of the quiet hours goes then",
      "2026-11-24T10:00+05:30",
      2,
      "Asia/Kolkata",
      "2026-11-24T08:00+05:30",
    ],
    [
      "counts elapsed hours where Sydney's clocks go forward",
      "2026-10-04T12:00+11:00",
      24,
      "Australia/Sydney",
      "2026-10-03T11:00+10:00",
    ],
    [
      "counts elapsed hours where New York's clocks go back",
      "2026-11-01T12:00-05:00",
      24,
      "America/New_York",
      "2026-10-31T13:00-04:00",
    ],
  ])("%s", (_what, start, hours, zone, expected) => {
    expect(told(reminderAt(at(start), hours, NIGHT, zone))).toBe(told(at(expected)));
  });

  test("without quiet hours goes in the night too", () => {
    const start = at("2026-11-24T07:00+05:30");
    expect(reminderAt(start, 2, null, "Asia/Kolkata")).toBe(at("2026-11-24T05:00+05:30"));
  });

  test("is late by more than a quarter of its hours", () => {
    const due = at("2026-11-24T05:00Z");
    expect(isLate(at("2026-11-24T05:30:00Z"), due, 2)).toBe(false);
    expect(isLate(at("2026-11-24T05:30:01Z"), due, 2)).toBe(true);
  });
});

describe("what is no reminder", () => {
  const NONE = { actedAt: null, startAt: null };
  const midnight = at("2026-11-24T00:00+05:30");
  const morning = at("2026-11-24T08:00+05:30");

  test.each([
    ["waits for the end of the quiet hours", midnight, NONE, morning],
    ["goes at once by day", morning, NONE, morning],
    [
      "goes at once within ten minutes of the recipient's own act",
      midnight,
      { ...NONE, actedAt: midnight - 600_000 },
      midnight,
    ],
    ["waits eleven minutes after it", midnight, { ...NONE, actedAt: midnight - 660_000 }, morning],
    [
      "waits no longer than two hours before its lesson",
      midnight,
      { ...NONE, startAt: at("2026-11-24T07:00+05:30") },
      at("2026-11-24T05:00+05:30"),
    ],
    [
      "goes at once where the lesson is nearer",
      midnight,
      { ...NONE, startAt: at("2026-11-24T01:00+05:30") },
      midnight,
    ],
  ])("%s", (_what, now, occasion, expected) => {
    expect(told(sendAt(now, occasion, NIGHT, "Asia/Kolkata"))).toBe(told(expected));
  });

  test("waits for the end of quiet hours within one day", () => {
    const noon = { from: 12 * 60, to: 14 * 60 };
    expect(sendAt(at("2026-11-24T12:30Z"), NONE, noon, "UTC")).toBe(at("2026-11-24T14:00Z"));
  });
});
