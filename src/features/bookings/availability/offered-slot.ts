import { dayClock } from "#core/calendar.ts";
import type { ReadCtx } from "#core/context.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { calendarOf, type OfferBasis, slotSettingsOf } from "./offer-basis.ts";
import { REASONS } from "./reasons.ts";
import { FREE, isTaken, offerOn } from "./slots.ts";

/** When a lesson is asked for: local date, minutes after midnight, and length in minutes; with `force` at short notice too. */
type Wish = { booking_date: string; start_time: number; duration: number; force: boolean | undefined };
const EVER_DAYS = 36_525;

/** The columns of a booking that say when it is. */
export type Timing = ReturnType<typeof requireOffered>;

/**
 * The wish as a booking's columns, where the instructor works then; whether the slot is still free the database decides.
 * Throws 422 `nonexistent_time` or `slot_not_offered`, which has the day's reason; 409 `slot_unavailable` where the time is
 * no slot of a day that has some, and overlaps a booking.
 */
export function requireOffered(ctx: ReadCtx, basis: OfferBasis, wish: Wish) {
  const { booking_date: date, start_time: minute, duration, force } = wish;
  const usual = slotSettingsOf(ctx, basis.settings);
  // A lesson that has begun is still too late.
  const slotSettings = force === true ? { ...usual, minNotice: 0, advanceDays: EVER_DAYS } : usual;
  const from = dayClock(date, slotSettings.timezone)(minute);
  if (from === undefined) {
    throw fieldProblem("start_time", "nonexistent_time", "is skipped by the clocks", "nonexistent_time");
  }
  const offer = offerOn({ ...calendarOf(basis), busy: FREE }, date, slotSettings, duration, ctx.now);
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

function notOffered(reason: keyof typeof REASONS | null): Problem {
  const message = reason === null ? "The instructor offers other times on this date" : REASONS[reason];
  return new Problem("slot_not_offered", { message, members: { reason: reason ?? "not_a_slot" } });
}
