export { bookingPackages } from "./packages/tables.ts";
