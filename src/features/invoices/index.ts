export { type OrderBuyer, type OrderSupply, orderSupply } from "./from-order/buyer.ts";
export { invoiceOrder, type PaidOrder } from "./from-order/invoice-order.ts";
export type { OrderLine } from "./from-order/order-line.ts";
export {
  invoiceLesson,
  isTaxRegistered,
  type PaidLesson,
  receivedFrom,
  taxLesson,
} from "./from-order/paid-lesson.ts";
export { isPlausible, restateTax } from "./from-order/split-tax.ts";
export { dueProblem, raiseAmountDue, reduceAmountDue } from "./invoices/amount-due.ts";
export { invoiceContactEraser, invoiceContactErasure } from "./invoices/erase.ts";
export { renderBreakup, TaxBreakup } from "./invoices/items.ts";
export { contradictsGstin } from "./invoices/missing-particulars.ts";
export { overdueInvoices } from "./invoices/overdue.ts";
export { type Delivery, deliveryOf, type Seller, selectSeller } from "./invoices/parties.ts";
export { type Invoice, invoice } from "./invoices/record.ts";
export { hasCreditNotes, voidInvoices } from "./invoices/void.ts";
export { formatMoney } from "./page/formats.ts";
export { offersPayment, PAY_OFFER } from "./page/pay-offer.ts";
export type { Report } from "./page/report.tsx";

/** The page of a report, loaded once one is asked for. */
export const renderReport: typeof import("./page/report.tsx").renderReport = async (...given) =>
  (await import("./page/report.tsx")).renderReport(...given);
export { taxOnTop } from "./tax/gst.ts";
export { isServiceLine } from "./tax/place-of-supply.ts";
