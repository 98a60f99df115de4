export { invoiceOrder } from "./from-order.ts";
export type { OrderLine } from "./order-split.ts";
export { dueProblem, exceedsDue, settleInvoice } from "./settle.ts";
