import { percentToWire } from "#shared/fields/numbers.ts";
import { GST_RATES } from "#shared/gst/rates.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { isServiceLine } from "../tax/place-of-supply.ts";
import type { Invoice } from "./record.ts";

/** What a document of sale lacks, or what on it contradicts itself. The API issues it all the same. */
export const MISSING_PARTICULARS = [
  "seller_address_missing",
  "seller_tax_number_missing",
  "buyer_address_missing",
  "buyer_gstin_missing",
  "hsn_code_missing",
  "letter_of_undertaking_missing",
  "place_of_supply_not_of_gstin",
  "delivery_state_unknown",
  "untaxed_lines_need_bill_of_supply",
  "rate_not_a_slab",
  "invoice_date_in_later_year",
] as const;
type Missing = (typeof MISSING_PARTICULARS)[number];

// Rule 46(e): from this taxable value on the address of an unregistered buyer must stand.
const ADDRESS_FROM_RUPEES = 50_000;
const SLABS: ReadonlySet<number> = new Set(GST_RATES.map(percentToWire));
const UNREGISTERED: ReadonlySet<string> = new Set(["unregistered", "consumer", "overseas"]);
// GSTINs that name no state: other territory, and centrally registered persons.
const STATELESS: ReadonlySet<string> = new Set(["97", "99"]);

/** What CGST Rule 46 (and 49), or the Australian tax invoice, wants of a document issued on a day that it does not say. */
export function missingParticulars(invoice: Invoice, issuedOn: string): Missing[] {
  const { seller, customer, document_type: type } = invoice;
  const thisYear = financialYearOf(issuedOn, seller.country);
  const later: Missing[] = invoice.invoice_date > thisYear.end ? ["invoice_date_in_later_year"] : [];
  const isIndian = seller.country === "IN";
  const hasOddRate = isIndian && invoice.items.some((item) => !SLABS.has(item.tax_rate));
  const ofAny: Missing[] = hasOddRate ? ["rate_not_a_slab", ...later] : later;
  if (type === "invoice") return ofAny;
  const { address, city } = customer.billing_address;
  const mustHaveAddress = customer.gstin !== null || invoice.taxable_total >= ADDRESS_FROM_RUPEES;
  const said: [Missing, boolean][] = [
    ["seller_address_missing", isIndian && seller.address === null],
    ["seller_tax_number_missing", !isIndian && seller.tax_number === null],
    ["buyer_address_missing", isIndian && mustHaveAddress && !address && !city],
    ["buyer_gstin_missing", isIndian && customer.gstin === null && !UNREGISTERED.has(customer.gst_category)],
    ["hsn_code_missing", isIndian && invoice.items.some((item) => item.hsn_sac_code === null)],
    ["letter_of_undertaking_missing", invoice.zero_rated === "without_payment" && seller.lut_number === null],
    ["place_of_supply_not_of_gstin", contradictsGstin(customer.gstin, invoice.place_of_supply?.code)],
    ["delivery_state_unknown", isIndian && isTaxedElsewhere(invoice)],
    ["untaxed_lines_need_bill_of_supply", type === "tax_invoice" && isMixedForRegistered(invoice)],
  ];
  return [...said.flatMap(([missing, is]) => (is ? [missing] : [])), ...ofAny];
}

/** Goods may go to another state than that of the buyer's GSTIN; so it is said, and not refused. */
export function contradictsGstin(gstin: string | null, place: string | null | undefined): boolean {
  const state = gstin?.slice(0, 2);
  return place != null && state !== undefined && !STATELESS.has(state) && place !== state;
}

/** Goods are taxed where they go (IGST Act, s.10), but as at the buyer's where the text there names no state. */
function isTaxedElsewhere({
  customer: { shipping_address: to },
  supply_type: supply,
  items,
}: Invoice): boolean {
  const isLost = to !== null && Boolean(to.state) && to.state_code === null;
  return supply !== "export" && isLost && items.some((item) => !isServiceLine(item.hsn_sac_code, undefined));
}

/** One document of taxed and untaxed supplies is for unregistered buyers only (Rule 46A). */
function isMixedForRegistered({ items, zero_rated: rated, customer }: Invoice): boolean {
  return customer.gstin !== null && rated === null && items.some((item) => item.gst_treatment !== "taxable");
}
