export { expireBookings } from "./reservations/expire.ts";
export { bookingEffects } from "./reservations/settle.ts";
