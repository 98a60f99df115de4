import { beforeEach } from "vitest";
import { daysAhead } from "../school.ts";

/** Ten o'clock of a date that each test of a file has to itself: so many days ahead for the first, then `step` days later. */
export function dateOfEachTest(first: number, step = 1) {
  const at = { booking_date: "", start_time: "10:00" };
  let day = first - step;
  beforeEach(() => {
    day += step;
    at.booking_date = daysAhead(day);
  });
  return at;
}
