export { invoiceOrder, type PaidOrder } from "./from-order.ts";
export type { OrderLine } from "./order-split.ts";
export type { Buyer, Seller } from "./parties.ts";
export { dueProblem, exceedsDue, settleInvoice } from "./settle.ts";
