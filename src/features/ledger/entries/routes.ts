import { Router } from "#api/operations/operation.ts";
import { RecordParams } from "#shared/fields/ids.ts";

import { getEntry } from "./get.ts";
import { listEntries } from "./list.ts";
import { EntryQuery, JournalEntry } from "./schema.ts";
import { renderEntry } from "./snapshot.ts";

const entryExample = {
  id: "10",
  entry_number: "JV/26-27/00010",
  entry_date: "2026-11-21",
  voucher_type: "receipt",
  source_type: "payment",
  source_id: "5",
  status: "posted" as const,
  reversal_of: null,
  narration: "Payment on INV/26-27/00007",
  lines: [
    { account_id: "2", account_code: "1020", account_name: "Bank", debit: 300, credit: 0 },
    { account_id: "7", account_code: "1200", account_name: "TDS Receivable", debit: 54, credit: 0 },
    {
      account_id: "61",
      account_code: "1100-42",
      account_name: "Sundry Debtors / Meera Traders",
      debit: 0,
      credit: 354,
    },
  ],
  created_at: "2026-11-21T10:00:00.000Z",
};

export const entryRoutes = new Router("Ledger")
  .list(
    {
      id: "listJournalEntries",
      method: "get",
      path: "/ledger/:company/journal-entries",
      summary: "List the journal entries",
      description:
        "Newest first, with their lines. An entry is never changed or deleted. Another entry can reverse it.",
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
      params: RecordParams,
      result: JournalEntry,
      example: { result: entryExample },
      render: renderEntry,
    },
    getEntry,
  );
