import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { dayClock } from "#platform/calendar.ts";
import vectors from "../vectors/availability.json" with { type: "json" };

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1);
const LAST = Date.UTC(2028, 0, 1);
const dateOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10);

/** What Temporal says: undefined in a gap, the earlier of two. */
function reference(date: string, minute: number, timezone: string): number | undefined {
  const hour = Math.floor(minute / 60);
  const local = Temporal.PlainDate.from(date).toPlainDateTime({ hour, minute: minute % 60 });
  const zoned = local.toZonedDateTime(timezone, { disambiguation: "earlier" });
  return zoned.toPlainDateTime().equals(local) ? zoned.epochMilliseconds : undefined;
}

/** The dates of the zone's clock changes in these years, with the days beside them. */
function changeDays(timezone: string): string[] {
  const dates = new Set<string>();
  let at = Temporal.Instant.fromEpochMilliseconds(FIRST).toZonedDateTimeISO(timezone);
  for (;;) {
    const next = at.getTimeZoneTransition("next");
    if (next === null || next.epochMilliseconds > LAST) return [...dates];
    for (const days of [-1, 0, 1]) dates.add(next.toPlainDate().add({ days }).toString());
    at = next;
  }
}

describe("the clock of a day", () => {
  test("agrees with Temporal in every zone, on each day of a clock change and those beside it", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    expect(zones.length).toBeGreaterThan(400);
    let compared = 0;
    const wrong: unknown[] = [];
    for (const timezone of zones) {
      for (const date of [...changeDays(timezone), "2026-07-15"]) {
        const clock = dayClock(date, timezone);
        for (let minute = 0; minute < 1_440; minute += 30) {
          compared += 1;
          if (clock(minute) !== reference(date, minute, timezone)) wrong.push([timezone, date, minute]);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(40_000);
  }, 60_000);

  test.each(["Australia/Sydney", "Australia/Lord_Howe", "America/New_York", "Asia/Kolkata", "Africa/Cairo"])(
    "agrees with Temporal on every day of a year in %s",
    (timezone) => {
      for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2027, 0, 1); day += DAY_MS) {
        const date = dateOf(day);
        const clock = dayClock(date, timezone);
        for (const minute of [0, 61, 150, 780, 1_439])
          expect(clock(minute), `${date} ${minute}`).toBe(reference(date, minute, timezone));
      }
    },
  );

  test.each(vectors.instants)("is $utc at $local in $zone", ({ zone, local, utc }) => {
    const [date = "", time = ""] = local.split("T");
    const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    expect(dayClock(date, zone)(minute)).toBe(Date.parse(utc));
  });
});
