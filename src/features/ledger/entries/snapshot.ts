import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { accounts } from "../accounts/tables.ts";
import { journalEntries, journalLines } from "./tables.ts";

const lineShape = {
  account_id: journalLines.accountId,
  account_code: accounts.code,
  account_name: accounts.name,
  debit: journalLines.debit,
  credit: journalLines.credit,
};
const shape = {
  id: journalEntries.id,
  entry_number: journalEntries.entryNumber,
  entry_date: journalEntries.entryDate,
  voucher_type: journalEntries.voucherType,
  source_type: journalEntries.sourceType,
  source_id: journalEntries.sourceId,
  // A draft never outlives the batch that made it.
  status: sql<"posted" | "voided">`${journalEntries.status}`,
  reversal_of: journalEntries.reversalOf,
  narration: journalEntries.narration,
  lines: sql<JsonRow<typeof lineShape>[]>`(
    SELECT json_group_array(json(line)) FROM (
      SELECT ${jsonObject(lineShape)} AS line
      FROM ${journalLines} JOIN ${accounts} ON ${accounts.id} = ${journalLines.accountId}
      WHERE ${journalLines.entryId} = ${journalEntries.id} ORDER BY ${journalLines.position}
    )
  )`,
  created_at: journalEntries.createdAt,
};
/** A journal entry with its lines. */
export type EntryRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of journal entries; `tail` from WHERE on. */
export function selectEntries(tail: SQL): SQL<EntryRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${journalEntries} ${tail}`;
}

export function renderEntry(row: EntryRow) {
  return {
    ...row,
    id: String(row.id),
    source_id: String(row.source_id),
    reversal_of: row.reversal_of === null ? null : String(row.reversal_of),
    lines: row.lines.map((line) => ({
      ...line,
      account_id: String(line.account_id),
      debit: moneyToWire(line.debit),
      credit: moneyToWire(line.credit),
    })),
    created_at: timestampToWire(row.created_at),
  };
}
