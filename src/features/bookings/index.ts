export { contact as bookingContact } from "./bookings/contact.ts";
export { bookingEraser, bookingErasure } from "./bookings/erase.ts";
export { holdsDue } from "./holds/expire-holds.ts";
export { isUnproven } from "./holds/hold-counts.ts";
export { packageEraser, packageErasure } from "./packages/erase.ts";
export { packagesPaidAgain } from "./packages/paid-again.ts";
export { type MoneyBack, moneyBack, moneyBackOf } from "./payments/given-back.ts";
export { bookingOwedAgain } from "./payments/owed-again.ts";
export { bookingEffects } from "./payments/payment-effects.ts";
