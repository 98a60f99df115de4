export { holdsDue } from "./holds/expire-holds.ts";
export { bookingEffects } from "./payments/payment-effects.ts";
