export { creditOf, freeCredit, uncovered } from "./free-credit.ts";
export { insertCreditNote, issuedBy, type NewCreditNote } from "./issue.ts";
export { creditNoteQueries, creditNoteRefusals, type Found, foundFor, planCreditNote } from "./plan.ts";
export { type CreditNote, type CreditNoteRow, creditNote, selectCreditNotes } from "./record.ts";
