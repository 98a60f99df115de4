import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";

const FIRST_LOOKS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
const HOURLY_MS = 3 * DAY_MS;
const LAST_LOOK_MS = 30 * DAY_MS;
// Stripe keeps a key for 24 hours at least (https://docs.stripe.com/api/idempotent_requests), PayPal for 45 days.
const SENT_AGAIN_MS = 20 * HOUR_MS;

/** When a refund whose outcome is not known is looked at next: after 1, 5, 15 and 60 minutes, then hourly, after three days daily. */
export function nextLookAt(createdAt: number, now: number): number {
  const age = now - createdAt;
  const first = FIRST_LOOKS_MS.find((after) => after > age);
  if (first !== undefined) return createdAt + first;
  return now + (age < HOURLY_MS ? HOUR_MS : DAY_MS);
}

/** Whether a refund of this age may be sent with its key once more; each age by the clock of the company, and the real one. */
export function maySendAgain(age: number, realAge: number): boolean {
  return Math.max(age, realAge) < SENT_AGAIN_MS;
}

/** Whether no later look is to find out what became of it. */
export function isLastLook(age: number): boolean {
  return age >= LAST_LOOK_MS;
}
