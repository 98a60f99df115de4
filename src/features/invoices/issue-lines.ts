import type { SQL } from "drizzle-orm";
import type { InvoiceTotals } from "./totals.ts";

/** What the customer owes against sales, shipping, taxes and the rounding, in minor units. */
export function issueLines(customerId: number | SQL<number>, totals: InvoiceTotals, shipping = 0) {
  return [
    { account: { customerId }, debit: totals.totalAmount },
    { account: { code: "4000" }, credit: totals.taxableTotal - shipping },
    { account: { code: "4010" }, credit: shipping },
    { account: { code: "2100" }, credit: totals.cgstTotal },
    { account: { code: "2110" }, credit: totals.sgstTotal },
    { account: { code: "2120" }, credit: totals.igstTotal },
    totals.roundOff < 0
      ? { account: { code: "5200" }, debit: -totals.roundOff }
      : { account: { code: "5200" }, credit: totals.roundOff },
  ];
}
