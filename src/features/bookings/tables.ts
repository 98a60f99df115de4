export { bookings } from "./bookings/tables.ts";
export { instructors } from "./instructors/tables.ts";
export { locations } from "./locations/tables.ts";
export { bookingPackages } from "./packages/tables.ts";
export { lessonReceipts } from "./receipts/tables.ts";
