import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { journalLines } from "../entries/tables.ts";
import { accounts } from "./tables.ts";

const sum = (side: "debit" | "credit") =>
  sql<number>`(
    SELECT coalesce(sum(${journalLines[side]}), 0) FROM ${journalLines} WHERE ${journalLines.accountId} = ${accounts.id}
  )`;

const shape = {
  id: accounts.id,
  code: accounts.code,
  name: accounts.name,
  type: accounts.type,
  parent_id: accounts.parentId,
  party_id: accounts.partyId,
  is_active: accounts.isActive,
  debit: sum("debit"),
  credit: sum("credit"),
};
/** An account with the sums of its lines. */
export type AccountRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of accounts in the chart; `tail` goes on after WHERE. */
export function selectAccounts(tail: SQL): SQL<AccountRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${accounts} WHERE ${accounts.deletedAt} IS NULL AND ${tail}`;
}

export function renderAccount(row: AccountRow) {
  return {
    id: String(row.id),
    code: row.code,
    name: row.name,
    type: row.type,
    parent_id: row.parent_id === null ? null : String(row.parent_id),
    customer_id: row.party_id === null ? null : String(row.party_id),
    is_active: row.is_active === 1,
    debit: moneyToWire(row.debit),
    credit: moneyToWire(row.credit),
    balance: moneyToWire(row.debit - row.credit),
  };
}
