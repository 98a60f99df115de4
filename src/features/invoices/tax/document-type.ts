import type { DocumentType } from "#shared/gst/document-types.ts";
import type { GstTreatment } from "#shared/gst/treatments.ts";
import type { Supply } from "./place-of-supply.ts";
import { gstStatusOf, type Registered } from "./registered.ts";

type Issued = {
  country: string;
  supply: Supply;
  buyerGstin: string | null;
  lines: readonly { gstTreatment: GstTreatment }[];
};

/** What a seller has to call what it issues (CGST Rules 46, 46A and 49; in Australia, GST Act s.29-70). */
export function documentTypeOf(seller: Registered, issued: Issued): DocumentType {
  if (issued.country !== "IN")
    return issued.country === "AU" && seller.taxRegistered === 1 ? "tax_invoice" : "invoice";
  const status = gstStatusOf(seller);
  if (status === "composition") return "bill_of_supply";
  if (status !== "registered") return "invoice";
  if (issued.supply.isZeroRated) return "tax_invoice";
  const taxable = issued.lines.filter(({ gstTreatment }) => gstTreatment === "taxable").length;
  if (taxable === 0) return "bill_of_supply";
  const isMixed = taxable < issued.lines.length;
  return isMixed && issued.buyerGstin === null ? "invoice_cum_bill_of_supply" : "tax_invoice";
}
