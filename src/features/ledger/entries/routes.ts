import { Router } from "#contract/operation.ts";
import { renderAccount } from "./account-snapshot.ts";
import { renderEntry } from "./entry-snapshot.ts";
import { accountExample, entryExample, trialBalanceExample, unpostedExample } from "./examples.ts";
import { getEntry } from "./get-entry.ts";
import { listAccounts } from "./list-accounts.ts";
import { listEntries } from "./list-entries.ts";
import { listUnposted, renderUnposted } from "./list-unposted.ts";
import {
  Account,
  EntryParams,
  EntryQuery,
  JournalEntry,
  TrialBalance,
  TrialBalanceQuery,
  Unposted,
} from "./schema.ts";
import { renderTrialBalance, trialBalance } from "./trial-balance.ts";

export const ledgerRoutes = new Router("Ledger")
  .list(
    {
      id: "listAccounts",
      method: "get",
      path: "/ledger/:company/accounts",
      summary: "List the accounts with their balances",
      scope: "ledger:read",
      result: Account,
      example: { result: accountExample },
      render: renderAccount,
      sort: (row) => [row.id],
    },
    listAccounts,
  )
  .list(
    {
      id: "listJournalEntries",
      method: "get",
      path: "/ledger/:company/journal-entries",
      summary: "List the journal entries",
      description:
        "Newest first, with their lines. An entry is never changed or deleted, only reversed by another.",
      scope: "ledger:read",
      query: EntryQuery,
      result: JournalEntry,
      example: { result: entryExample },
      render: renderEntry,
      sort: (row) => [row.id],
    },
    listEntries,
  )
  .add(
    {
      id: "getJournalEntry",
      method: "get",
      path: "/ledger/:company/journal-entries/:id",
      summary: "Read a journal entry",
      scope: "ledger:read",
      params: EntryParams,
      result: JournalEntry,
      example: { result: entryExample },
      render: renderEntry,
    },
    getEntry,
  )
  .list(
    {
      id: "listUnposted",
      method: "get",
      path: "/ledger/:company/unposted",
      summary: "List what has no journal entry",
      description:
        "Invoices and payments that stand, but whose journal entry was left out, and the money of paid orders that wait in review; newest first, with the reason.",
      scope: "ledger:read",
      result: Unposted,
      example: { result: unpostedExample },
      render: renderUnposted,
      sort: (row) => [row.id],
    },
    listUnposted,
  )
  .add(
    {
      id: "trialBalance",
      method: "get",
      path: "/ledger/:company/trial-balance",
      summary: "Read the trial balance",
      description: "Of the entries dated up to `as_of`. Debits equal credits, to the paisa.",
      scope: "ledger:read",
      query: TrialBalanceQuery,
      result: TrialBalance,
      example: { result: trialBalanceExample },
      render: renderTrialBalance,
    },
    trialBalance,
  );
