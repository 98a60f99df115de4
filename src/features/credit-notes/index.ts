export { type CreditNote, type CreditNoteRow, creditNote, selectCreditNotes } from "./record.ts";
