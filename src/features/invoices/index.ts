export type { OrderBuyer } from "./from-order/buyer.ts";
export { invoiceOrder, type PaidOrder } from "./from-order/invoice-order.ts";
export type { OrderLine } from "./from-order/order-line.ts";
export { orderSupply } from "./from-order/order-place.ts";
export { restateTax } from "./from-order/restate-tax.ts";
export { isPlausible } from "./from-order/split-tax.ts";
export { dueProblem, exceedsDue, reduceAmountDue } from "./invoices/amount-due.ts";
export { type Delivery, deliveryOf, selectSeller } from "./invoices/parties-on-invoice.ts";
