export { creditNoteQueries, type Found, foundFor } from "./find-invoice.ts";
export { creditOf, freeCredit, uncovered } from "./free-credit.ts";
export { insertCreditNote, issuedBy, type NewCreditNote } from "./issue.ts";
export { creditNoteRefusals, planCreditNote } from "./plan.ts";
export { type CreditNote, type CreditNoteRow, creditNote, selectCreditNotes } from "./record.ts";
