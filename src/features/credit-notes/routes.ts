import { Router } from "#api/operations/operation.ts";
import { REVERSAL, ReversalDate } from "#features/ledger";
import { DayQuery } from "#shared/fields/list-filters.ts";
import {
  ApplicationParams,
  ApplicationQuery,
  application,
  listAllApplications,
  listApplications,
  reverseApplication,
} from "./applications.ts";
import { applyCreditNote } from "./apply.ts";
import { createCreditNote, creditNoteIds } from "./create.ts";
import {
  listAllPayouts,
  listPayouts,
  PayoutParams,
  payOutCreditNote,
  payout,
  RecordedPayout,
  renderPayout,
  reversePayout,
} from "./payouts.ts";
import { getCreditNote, listCreditNotes, listCreditNotesOfInvoice } from "./read.ts";
import { creditNote, IssuedCreditNote, renderIssued } from "./record.ts";
import { CreditApply, CreditNoteCreate, CreditNoteQuery, PayoutCreate, VoidedCreditNote } from "./schema.ts";
import { voidCreditNote } from "./void.ts";

/** The operations below an invoice. */
export const invoiceCreditNoteRoutes = new Router("Credit notes", "/invoices/:company")
  .list({ listInvoiceCreditNotes: listCreditNotesOfInvoice }, "/:id/credit-notes", {
    summary: "List the credit notes of an invoice",
    description: "Newest first, also voided ones.",
    record: creditNote,
  })
  .create({ createCreditNote }, "/:id/credit-notes", {
    takesNoOther: true,
    changes: ["credit_note", "invoice", "product", "package", "booking", "order"],
    summary: "Issue a credit note",
    description:
      "Gives back value and tax of an invoice, by quantity or by amount; without a body, all that is left. The API computes the tax by the share of each line, so that notes which credit everything add up to the invoice. What is due falls first; the rest is credit of the customer.",
    body: CreditNoteCreate,
    bodyLeftOut: { reason: "cancellation" },
    record: { schema: IssuedCreditNote, render: renderIssued },
    externalIds: creditNoteIds,
    problems: [
      "invoice_voided",
      "credit_exceeds_invoice",
      "period_locked",
      "return_filed",
      "limit_reached",
      "number_exhausted",
    ],
    problemStatuses: { period_locked: 422, return_filed: 422 },
  });

export const creditNoteRoutes = new Router("Credit notes", "/credit-notes/:company", { record: creditNote })
  .list({ listCreditNotes }, "/", {
    summary: "List credit notes",
    description: "Newest first, also voided ones.",
    query: CreditNoteQuery,
  })
  .get({ getCreditNote }, "/:id", { summary: "Read a credit note" })
  .post({ voidCreditNote }, "/:id/void", {
    changes: ["credit_note", "invoice", "product"],
    summary: "Void a credit note",
    description:
      "Only while nothing of it is paid out or applied to another invoice. Reverses its entry, takes returned goods out of stock, and what it credited is due again. The number stays used. A package that it cancelled stays cancelled.",
    query: ReversalDate,
    record: { schema: VoidedCreditNote, render: (row) => ({ id: String(row.id), voided: true as const }) },
    problems: [
      "credit_note_voided",
      "credit_in_use",
      "period_locked",
      "return_filed",
      "insufficient_stock",
      "number_exhausted",
    ],
  })
  .post({ applyCreditNote }, "/:id/apply", {
    changes: ["invoice", "booking"],
    summary: "Apply a credit note to another invoice",
    description: "Takes unused credit off the amount due of another invoice of the same customer.",
    body: CreditApply,
    problems: ["credit_note_voided", "invoice_voided", "amount_exceeds_due", "credit_exhausted"],
  })
  .create({ payOutCreditNote }, "/:id/payouts", {
    isFinal: true,
    changes: ["booking"],
    summary: "Record that credit was paid back by hand",
    description: "Takes unused credit of the note, and posts it out of the account of the payment mode.",
    scope: "payments:write",
    body: PayoutCreate,
    record: { schema: RecordedPayout, render: renderPayout },
    problems: [
      "credit_note_voided",
      "credit_exhausted",
      "payment_mode_inactive",
      "period_locked",
      "number_exhausted",
    ],
    problemStatuses: { period_locked: 422 },
  })
  .list({ listCreditNotePayouts: listPayouts }, "/:id/payouts", {
    summary: "List what was paid back of a credit note",
    description: "Newest first.",
    scope: "payments:read",
    record: payout,
  })
  .post({ reverseCreditNotePayout: reversePayout }, "/:id/payouts/:payout_id/reverse", {
    ...REVERSAL,
    changes: ["booking", "order", "invoice", "refund"],
    summary: "Take a payout of credit back",
    description:
      "One that was recorded by mistake: its entry is reversed, the credit is free again, and the order or booking that it ended is owed the money as before.",
    scope: "payments:write",
    params: PayoutParams,
    record: payout,
  })
  .list({ listCreditNoteApplications: listApplications }, "/:id/applications", {
    summary: "List what a credit note was applied to",
    description: "Newest first, also what was taken back.",
    record: application,
  })
  .post({ reverseCreditApplication: reverseApplication }, "/:id/applications/:application_id/reverse", {
    changes: ["invoice", "booking", "order", "refund"],
    summary: "Take credit off another invoice again",
    description:
      "The invoice is due again and the credit is free, or pays what is due of the note's own invoice. It has no entry in the books.",
    params: ApplicationParams,
    record: application,
    problems: ["entry_reversed", "invalid_status"],
  });

/** What is done with credit: parts of the ledger to its clients. */
export const creditLedgerRoutes = [
  new Router("Ledger", "/credit-payouts").list({ listCreditPayouts: listAllPayouts }, "/", {
    summary: "List the payouts of credit",
    description: "What was paid back by hand of all credit notes, newest first, also what was taken back.",
    query: DayQuery,
    sort: (row) => [row.payout_date, row.created_at, row.id],
    record: payout,
  }),
  new Router("Ledger", "/credit-applications").list({ listCreditApplications: listAllApplications }, "/", {
    summary: "List what credit was applied to",
    description: "Of all credit notes, newest first, also what was taken back.",
    query: ApplicationQuery,
    record: application,
  }),
] as const;
