import type { Invoice } from "../invoices/record.ts";
import type { Words } from "./words/words.ts";

type Item = Invoice["items"][number];
type Sold = Pick<Invoice, "seller" | "zero_rated" | "items">;

/** Whether a line's own treatment is why it bears no tax: of a registered seller in India, and not supplied abroad. */
function isUntaxed({ seller, zero_rated: rated }: Sold, { gst_treatment: treatment }: Item): boolean {
  return seller.gst_status === "registered" && rated === null && treatment !== "taxable";
}

/** The value of the lines that are exempt, nil-rated or outside GST: it is no taxable value (Rules 46(k) and 49(g)). */
export function untaxedValue(invoice: Sold): number {
  const minor = invoice.items
    .filter((item) => isUntaxed(invoice, item))
    .reduce((sum, { taxable_value: value }) => sum + Math.round(value * 100), 0);
  return minor / 100;
}

/** Why a line bears no tax; false where it bears some, or for another reason. */
export function treatmentOf(invoice: Sold, item: Item, { treatments }: Words): string | false {
  const { gst_treatment: treatment } = item;
  return isUntaxed(invoice, item) && treatment !== "taxable" && treatments[treatment];
}

/** What the value of all lines is called. */
export function valueLabel(invoice: Sold, words: Words): string {
  return untaxedValue(invoice) > 0 ? words.value : words.taxableValue;
}
