import { dayClock } from "#core/calendar.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { calendarOf, type OfferBasis } from "./offer-basis.ts";
import { REASONS } from "./reasons.ts";
import { FREE, isTaken, offerOn, type SlotSettings } from "./slots.ts";

/** When a lesson is asked for: local date, minutes after midnight, and length in minutes. */
export type Wish = { date: string; minute: number; duration: number };

/** The columns of a booking that say when it is. */
export type Timing = ReturnType<typeof requireOffered>;

/**
 * The wish as a booking's columns, where the instructor works then; whether the slot is still free the database decides.
 * Throws 422 `nonexistent_time` or `slot_not_offered`, which has the day's reason; 409 `slot_unavailable` where the time is
 * no slot of a day that has some, and overlaps a booking.
 */
export function requireOffered(basis: OfferBasis, slotSettings: SlotSettings, wish: Wish, now: number) {
  const { date, minute, duration } = wish;
  const from = dayClock(date, slotSettings.timezone)(minute);
  if (from === undefined) {
    throw fieldProblem("start_time", "nonexistent_time", "is skipped by the clocks", "nonexistent_time");
  }
  const offer = offerOn({ ...calendarOf(basis), busy: FREE }, date, slotSettings, duration, now);
  const slot = offer.slots.find((one) => one.minute === minute);
  if (slot === undefined) {
    const until = from + duration * MINUTE_MS;
    const overlaps = isTaken(basis.busy, from, until, slotSettings.buffer * MINUTE_MS);
    throw overlaps && offer.reason === null ? new Problem("slot_unavailable") : notOffered(offer.reason);
  }
  return {
    startAt: slot.startAt,
    endAt: slot.startAt + duration * MINUTE_MS,
    bookingDate: date,
    startTime: clockTimeToWire(minute),
    endTime: clockTimeToWire(minute + duration),
    timezone: slotSettings.timezone,
  };
}

const EVER_DAYS = 36_525;

/** The settings without minimum notice and advance window; a lesson that has begun is still too late. */
export function withoutNotice(slotSettings: SlotSettings): SlotSettings {
  return { ...slotSettings, minNotice: 0, advanceDays: EVER_DAYS };
}

function notOffered(reason: keyof typeof REASONS | null): Problem {
  const message = reason === null ? "The instructor offers other times on this date" : REASONS[reason];
  return new Problem("slot_not_offered", { message, members: { reason: reason ?? "not_a_slot" } });
}
