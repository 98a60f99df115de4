export { invoiceOrder, type PaidOrder } from "./from-order.ts";
export { deliveryOf, type OrderBuyer } from "./order-buyer.ts";
export type { OrderLine } from "./order-line.ts";
export { isPlausible } from "./order-split.ts";
export { orderSupply } from "./order-supply.ts";
export { restateTax } from "./restated-tax.ts";
export { dueProblem, exceedsDue, settleInvoice } from "./settle.ts";
export type { Delivery } from "./snapshot.ts";
