export { bookings } from "./bookings/tables.ts";
export { bookingPackages } from "./packages/tables.ts";
