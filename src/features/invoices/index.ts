export { invoiceOrder } from "./from-order.ts";
export { deliveryOf, type OrderBuyer } from "./order-buyer.ts";
export type { OrderLine } from "./order-line.ts";
export { isPlausible } from "./order-split.ts";
export { dueProblem, exceedsDue, settleInvoice } from "./settle.ts";
export type { Delivery } from "./snapshot.ts";
