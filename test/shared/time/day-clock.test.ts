import { describe, expect, test } from "vitest";
import { dayClock } from "#core/calendar.ts";
import vectors from "../../vectors/availability.json" with { type: "json" };
import { temporalClock } from "./temporal-clock.ts";

const DAY_MS = 86_400_000;
const dateOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10);

describe("the clock of a day", () => {
  test.each(["Australia/Sydney", "Australia/Lord_Howe", "America/New_York", "Asia/Kolkata", "Africa/Cairo"])(
    "agrees with Temporal on every day of a year in %s",
    (timezone) => {
      for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2027, 0, 1); day += DAY_MS) {
        const date = dateOf(day);
        const clock = dayClock(date, timezone);
        for (const minute of [0, 61, 150, 780, 1_439])
          expect(clock(minute), `${date} ${minute}`).toBe(temporalClock(date, minute, timezone));
      }
    },
  );

  test.each(vectors.instants)("is $utc at $local in $zone", ({ zone, local, utc }) => {
    const [date = "", time = ""] = local.split("T");
    const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    expect(dayClock(date, zone)(minute)).toBe(Date.parse(utc));
  });
});
