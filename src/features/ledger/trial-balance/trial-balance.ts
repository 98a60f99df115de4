import { sql } from "drizzle-orm";
import { companyToday } from "#platform/calendar.ts";
import type { CallCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject } from "#platform/sql/json.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { accounts } from "../accounts/tables.ts";
import { journalEntries, journalLines } from "../entries/tables.ts";
import type { TrialBalanceQuery } from "./schema.ts";

const shape = {
  code: accounts.code,
  name: accounts.name,
  type: accounts.type,
  debit: sql<number>`sum(${journalLines.debit})`,
  credit: sql<number>`sum(${journalLines.credit})`,
};
type BalanceRow = JsonRow<typeof shape>;
export type TrialBalanceRow = { asOf: string; accounts: BalanceRow[] };

/** Debits and credits of every account with lines, of the entries dated up to a day. */
export async function trialBalance(
  ctx: CallCtx,
  _params: unknown,
  { as_of: asOf = companyToday(ctx) }: TrialBalanceQuery,
): Promise<TrialBalanceRow> {
  const select = sql<BalanceRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${journalLines}
    JOIN ${journalEntries} ON ${journalEntries.id} = ${journalLines.entryId} AND ${journalEntries.entryDate} <= ${asOf}
    JOIN ${accounts} ON ${accounts.id} = ${journalLines.accountId}
    GROUP BY ${accounts.id} ORDER BY ${accounts.code}`;
  return { asOf, accounts: await readAll(ctx, select) };
}

export function renderTrialBalance({ asOf, accounts: rows }: TrialBalanceRow) {
  const total = (side: "debit" | "credit") => moneyToWire(rows.reduce((sum, row) => sum + row[side], 0));
  return {
    as_of: asOf,
    accounts: rows.map((row) => ({
      ...row,
      debit: moneyToWire(row.debit),
      credit: moneyToWire(row.credit),
      balance: moneyToWire(row.debit - row.credit),
    })),
    total_debit: total("debit"),
    total_credit: total("credit"),
  };
}
