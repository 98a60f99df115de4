import { Router } from "#api/operations/operation.ts";
import { entry } from "../entries/entries.ts";
import { ReversalDate } from "../entries/reversal-date.ts";
import {
  createJournalEntry,
  createOpeningBalances,
  JournalEntryBody,
  OpeningBalances,
} from "./journal-entries.ts";
import { createExpense, createTransfer, ExpenseBody, TransferBody } from "./money-paid.ts";
import { ReverseBody, reverseJournalEntry } from "./reverse-entry.ts";

/** What a line or a day may be refused with. */
const OF_ACCOUNTS = ["control_account", "account_inactive", "no_financial_year"] as const;

export const byHandRoutes = new Router("Ledger", "/", {
  record: entry,
  problems: ["settlement_mismatch", "period_locked", "number_exhausted"],
})
  .create({ createJournalEntry }, "/journal-entries", {
    summary: "Write a journal entry",
    description:
      "All or nothing. Accounts whose balance documents prove are refused: those of customers, Customer Advances and Unearned Lesson Income, and without `tax_adjustment` those of tax.",
    body: JournalEntryBody,
    problems: ["entry_unbalanced", ...OF_ACCOUNTS],
  })
  .create({ reverseJournalEntry }, "/journal-entries/:id/reverse", {
    summary: "Reverse a journal entry that was made by hand",
    description: "Answers the reversal. What a document posted is taken back with the document.",
    query: ReversalDate,
    body: ReverseBody,
    isFinal: true,
    problems: ["entry_has_document", "entry_reversed", "return_filed"],
  })
  .create({ createOpeningBalances }, "/opening-balances", {
    summary: "Record opening balances",
    description: "Once, unless that entry is reversed. What customers owe is entered as invoices.",
    body: OpeningBalances,
    problems: ["opening_exists", ...OF_ACCOUNTS],
  })
  .create({ createTransfer }, "/transfers", {
    summary: "Record a transfer between own accounts",
    description: "Such as cash that was taken to the bank. What a gateway pays out is a settlement.",
    body: TransferBody,
    problems: OF_ACCOUNTS,
  })
  .create({ createExpense }, "/expenses", {
    summary: "Record an expense that was paid",
    description:
      "Debits the account of the expense and the input tax, and credits what it was paid from. In India its tax is sent by head.",
    body: ExpenseBody,
    problems: ["gst_not_registered", "invalid_gstin", ...OF_ACCOUNTS],
  });
