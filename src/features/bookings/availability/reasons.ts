import type { Reason } from "./slots.ts";

/** The reasons for which a day has no slot, in English. */
export const REASONS: Record<Reason, string> = {
  past_date: "The date has passed",
  outside_advance_window: "The date is too far ahead to be booked yet",
  closed: "The instructor is away on this date",
  not_working: "The instructor does not work on this date",
  duration_too_long: "No working time on this date is long enough",
  minimum_notice: "What is left of this date is too soon to be booked",
  fully_booked: "The instructor is fully booked on this date",
};
