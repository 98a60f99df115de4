import { refused, type SomeHelp } from "./help.ts";

/** Lessons, their times, packages and visitors. */
export const SCHOOL_HELP = {
  invalid_instructor: {
    cause: "The instructor does not exist, takes no bookings, or does not teach the course's transmission.",
    cure: "Take an id from /schools/{company}/instructors, asked with the course's transmission.",
    ...refused("instructor_id", "not_found", "names no bookable instructor"),
  },
  slot_not_offered: {
    cause:
      "The instructor does not work then, the time is no start of a slot, or it is too soon, too late or past.",
    cure: "Take a start from /schools/{company}/availability. reason says why this time is none.",
    message: "The instructor offers other times on this date",
    members: { reason: "not_a_slot" },
  },
  slot_unavailable: {
    cause: "Another booking has the time, or had it a moment before.",
    cure: "Read the availability again, and let the visitor choose another time.",
  },
  slot_overlaps_own: {
    cause: "The learner has another lesson at this time.",
    cure: "Choose another time, or cancel the other lesson.",
  },
  nonexistent_time: {
    cause: "The clocks are put forward on this day, and skip the time.",
    cure: "Take a start from the availability of the day.",
    ...refused("start_time", "nonexistent_time", "is skipped by the clocks"),
  },
  end_time_mismatch: {
    cause: "end_time does not lie the course's length after start_time.",
    cure: "Leave end_time out, or send the end that fits.",
    message: "The course takes 60 minutes",
    members: { duration_minutes: 60 },
  },
  duration_mismatch: {
    cause: "duration_minutes is not the length of the course, whose price is for that length.",
    cure: "Leave duration_minutes out, or choose the course that has it.",
    message: "The course takes 60 minutes",
    members: { duration_minutes: 60 },
  },
  package_not_found: {
    cause: "booking_package_id names no paid package of this customer.",
    cure: "Take an id from the customer's packages, or book without one.",
  },
  package_exhausted: {
    cause: "All sessions of the package are used, or it has expired.",
    cure: "Book without a package, or sell the customer another one.",
  },
  cancel_window_passed: {
    cause: "The lesson begins so soon that visitors can no longer cancel or move it.",
    cure: "Let the school do it: staff are not bound by the window.",
  },
  too_many_holds: {
    cause: "A visitor, a customer or an address group has as many unpaid bookings as may wait at once.",
    cure: "Pay for one of them, or try again once a hold has ended. A cancelled booking counts for another 24 hours.",
  },
  too_many_moves: {
    cause:
      "A visitor has moved the booking three times, and it is neither paid nor its e-mail address confirmed.",
    cure: "Pay for the booking, or let the school move it: staff are not bound.",
  },
  captcha_required: {
    cause: "Many unpaid bookings come from where the visitor is, so that a puzzle must be solved first.",
    cure: "Show the puzzle with turnstile_site_key, and send its token as turnstile_token.",
    ...refused("turnstile_token", "required", "is required"),
    members: { turnstile_site_key: "0x4AAAAAAA" },
  },
  captcha_failed: {
    cause: "The token is not that of a solved puzzle: it was used before, or is older than five minutes.",
    cure: "Show the puzzle again, and send its new token.",
    ...refused("turnstile_token", "invalid", "is not that of a solved puzzle"),
  },
} as const satisfies SomeHelp;
