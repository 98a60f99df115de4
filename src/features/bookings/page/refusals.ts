import type { Problem, ProblemCode } from "#shared/problem.ts";

const SENTENCES: Partial<Record<ProblemCode, string>> = {
  invalid_status: "This lesson can no longer be changed.",
  cancel_window_passed: "It is too late to move or cancel this lesson here. Please call the school.",
  slot_unavailable: "This time has just been taken. Please choose another one.",
  slot_overlaps_own: "You have another lesson at this time.",
  slot_not_offered: "This time is not offered any more. Please choose another one.",
  nonexistent_time: "The clocks skip this time. Please choose another one.",
  invalid_instructor: "This instructor takes no bookings at the moment. Please call the school.",
  already_paid: "This lesson is paid already.",
  online_payment_not_enabled: "The school takes no payment online at the moment. Please call the school.",
  payment_gateway_error: "The payment could not be started. Please try again in a minute.",
  too_many_holds: "You hold too many unpaid lessons. Please pay or cancel one first.",
  validation_failed: "Please choose a date and a time.",
  idempotency_key_in_use: "This is being done already. Please look again in a moment.",
};

/** A refusal as its visitor reads it. */
export function refusalOf({ code }: Problem): string {
  return SENTENCES[code] ?? "This could not be done. Please call the school.";
}
