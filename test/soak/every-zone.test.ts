import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { dayClock } from "#core/calendar.ts";
import { temporalClock } from "../shared/time/temporal-clock.ts";

const FIRST = Date.UTC(2026, 0, 1);
const LAST = Date.UTC(2028, 0, 1);

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

test("the clock of a day agrees with Temporal in every zone, on each day of a clock change and those beside it", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  expect(zones.length).toBeGreaterThan(400);
  let compared = 0;
  const wrong: unknown[] = [];
  for (const timezone of zones) {
    for (const date of [...changeDays(timezone), "2026-07-15"]) {
      const clock = dayClock(date, timezone);
      for (let minute = 0; minute < 1_440; minute += 30) {
        compared += 1;
        if (clock(minute) !== temporalClock(date, minute, timezone)) wrong.push([timezone, date, minute]);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(40_000);
}, 60_000);
