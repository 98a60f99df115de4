export { paymentModes } from "./modes/tables.ts";
export { payments } from "./payments/tables.ts";
