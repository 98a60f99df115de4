export { expireBookings } from "./holds/expire.ts";
export { bookingEffects } from "./payments/payment-effects.ts";
