import type { SQL } from "drizzle-orm";
import { ACCOUNTS } from "#shared/payments/books.ts";
import type { InvoiceTotals } from "./totals.ts";

/** What the customer owes against sales, shipping, taxes and the rounding, in minor units. */
export function issueLines(customerId: number | SQL<number>, totals: InvoiceTotals, shipping = 0) {
  return [
    { account: { customerId }, debit: totals.totalAmount },
    { account: { code: ACCOUNTS.sales }, credit: totals.taxableTotal - shipping },
    { account: { code: ACCOUNTS.shippingIncome }, credit: shipping },
    { account: { code: ACCOUNTS.outputCgst }, credit: totals.cgstTotal },
    { account: { code: ACCOUNTS.outputSgst }, credit: totals.sgstTotal },
    { account: { code: ACCOUNTS.outputIgst }, credit: totals.igstTotal },
    totals.roundOff < 0
      ? { account: { code: ACCOUNTS.roundOff }, debit: -totals.roundOff }
      : { account: { code: ACCOUNTS.roundOff }, credit: totals.roundOff },
  ];
}
