export { expireBookings } from "./reservations/expire.ts";
export { bookingEffects } from "./reservations/payment-effects.ts";
