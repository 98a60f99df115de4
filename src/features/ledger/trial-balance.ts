import { and, asc, eq, lte, sql } from "drizzle-orm";
import { companyToday } from "#platform/calendar.ts";
import type { Ctx } from "#platform/context.ts";
import { read } from "#platform/operation-memory.ts";
import { moneyToWire } from "#shared/numbers.ts";
import type { TrialBalanceQuery } from "./schema.ts";
import { accounts, journalEntries, journalLines } from "./tables.ts";

type BalanceRow = Pick<typeof accounts.$inferSelect, "code" | "name" | "type"> & {
  debit: number;
  credit: number;
};
export type TrialBalanceRow = { asOf: string; accounts: BalanceRow[] };

/** Debits and credits of every account with lines, of the entries dated up to a day. */
export async function trialBalance(
  ctx: Ctx,
  _params: unknown,
  { as_of: asOf = companyToday(ctx) }: TrialBalanceQuery,
): Promise<TrialBalanceRow> {
  const select = ctx.db
    .select({
      code: accounts.code,
      name: accounts.name,
      type: accounts.type,
      debit: sql<number>`sum(${journalLines.debit})`,
      credit: sql<number>`sum(${journalLines.credit})`,
    })
    .from(journalLines)
    .innerJoin(
      journalEntries,
      and(eq(journalEntries.id, journalLines.entryId), lte(journalEntries.entryDate, asOf)),
    )
    .innerJoin(accounts, eq(accounts.id, journalLines.accountId))
    .groupBy(accounts.id)
    .orderBy(asc(accounts.code));
  const [rows] = await read(ctx, [select]);
  return { asOf, accounts: rows };
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
