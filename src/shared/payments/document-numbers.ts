/** What stands before the financial year in a document's number, by its series. Those of invoices and credit notes are the company's to choose. */
export const NUMBER_PREFIXES = {
  payment: "RCPT",
  order: "SO",
  journal: "JV",
  lessonReceipt: "RV",
  lessonRefund: "RFV",
  /** Four letters, as no company's own prefix has. */
  commercialCreditNote: "CCRN",
} as const;
