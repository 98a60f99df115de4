export { bookingEraser, bookingErasure } from "./bookings/erase.ts";
export { giveTokens } from "./bookings/give-tokens.ts";
export { bookingResource } from "./bookings/resource.ts";
export { holdsDue } from "./holds/expire-holds.ts";
export { packageResource } from "./packages/resource.ts";
export { bookingEffects } from "./payments/payment-effects.ts";
