export type { OrderBuyer } from "./from-order/buyer.ts";
export { invoiceOrder, type PaidOrder } from "./from-order/invoice-order.ts";
export type { OrderLine } from "./from-order/line.ts";
export { restateTax } from "./from-order/restate-tax.ts";
export { isPlausible } from "./from-order/split.ts";
export { orderSupply } from "./from-order/supply.ts";
export { dueProblem, exceedsDue, settleInvoice } from "./invoices/amount-due.ts";
export { type Delivery, deliveryOf } from "./invoices/party-snapshots.ts";
