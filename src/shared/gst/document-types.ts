/** How a company in India stands to GST. */
export const GST_STATUSES = ["registered", "composition", "unregistered"] as const;
export type GstStatus = (typeof GST_STATUSES)[number];

/** What a document of a sale is called. */
export const DOCUMENT_TYPES = [
  "tax_invoice",
  "bill_of_supply",
  "invoice_cum_bill_of_supply",
  "invoice",
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
