import { columnList } from "#core/sql/column-list.ts";
import { journalEntries, journalLines } from "./tables.ts";

/** What an entry is inserted with; it starts as a draft. */
export const entryColumns = columnList(journalEntries, [
  "operation",
  "ordinal",
  "entryNumber",
  "entryDate",
  "voucherType",
  "sourceType",
  "sourceId",
  "reversalOf",
  "narration",
  "createdAt",
]);

/** What a line is inserted with. */
export const lineColumns = columnList(journalLines, ["entryId", "position", "accountId", "debit", "credit"]);
