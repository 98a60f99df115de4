export { type OrderBuyer, orderSupply } from "./from-order/buyer.ts";
export { invoiceOrder, type PaidOrder } from "./from-order/invoice-order.ts";
export type { OrderLine } from "./from-order/order-line.ts";
export { isPlausible, restateTax } from "./from-order/split-tax.ts";
export { dueProblem, reduceAmountDue } from "./invoices/amount-due.ts";
export { invoiceContactEraser, invoiceContactErasure } from "./invoices/erase.ts";
export { overdueInvoices } from "./invoices/overdue.ts";
export { type Delivery, deliveryOf, selectSeller } from "./invoices/parties.ts";
