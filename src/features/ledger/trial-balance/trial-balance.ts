import { max, type SQL, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, jsonQuery, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { fieldProblem } from "#shared/problem.ts";
import { accounts, journalEntries, journalLines } from "#tables/ledger";
import type { TrialBalanceQuery } from "./schema.ts";

/** How many entries are summed in one read. */
const STEP = 100_000;
const MOST_ACCOUNTS = 40_000;

const shape = {
  code: accounts.code,
  name: accounts.name,
  type: accounts.type,
  debit: sql<number>`debit`,
  credit: sql<number>`credit`,
};
type BalanceRow = JsonRow<typeof shape>;
export type TrialBalanceRow = { asOf: string; accounts: BalanceRow[] };

/**
 * Debits and credits of every account with lines, of the entries dated up to a day. Entries are never changed, so those
 * up to the last one at the first read are the books of that moment, however many reads follow.
 */
export async function trialBalance(
  given: CallCtx,
  _params: unknown,
  { as_of: asOf = companyToday(given), debtors = "each" }: TrialBalanceQuery,
): Promise<TrialBalanceRow> {
  const ctx = { ...given, database: given.database.alone };
  const account = debtors === "each" ? EACH : DEBTORS_TOGETHER;
  const balances = new Map<string, BalanceRow>();
  let last = STEP;
  for (let after = 0; after < last; after += STEP) {
    const range = sql`${journalLines.entryId} > ${after} AND ${journalLines.entryId} <= ${Math.min(after + STEP, last)}`;
    const [[found], sums] = await read(ctx, [
      ctx.db.select({ last: max(journalEntries.id) }).from(journalEntries),
      jsonQuery(ctx, selectSums(account, asOf, range)),
    ]);
    if (after === 0) last = found?.last ?? 0;
    for (const { debit, credit, ...row } of parseRows(sums)) {
      const sum = balances.get(row.code) ?? { ...row, debit: 0, credit: 0 };
      balances.set(row.code, { ...sum, debit: sum.debit + debit, credit: sum.credit + credit });
    }
    if (balances.size > MOST_ACCOUNTS)
      throw fieldProblem(
        "debtors",
        "too_many",
        `must be \`together\`: more than ${MOST_ACCOUNTS} accounts have entries`,
      );
  }
  return { asOf, accounts: [...balances.values()].sort((one, other) => (one.code < other.code ? -1 : 1)) };
}

const EACH = sql`${accounts.id}`;
const DEBTORS_TOGETHER = sql`iif(${accounts.partyId} IS NULL, ${accounts.id}, ${accounts.parentId})`;

/** Each account's sums over a range of entries. */
function selectSums(account: SQL, asOf: string, range: SQL): SQL<BalanceRow> {
  const side = (name: "debit" | "credit") => sql`sum(${journalLines[name]}) AS ${sql.raw(name)}`;
  return sql`SELECT ${jsonObject(shape)} AS snapshot FROM (
      SELECT ${account} AS account_id, ${side("debit")}, ${side("credit")} FROM ${journalLines}
      JOIN ${journalEntries} ON ${journalEntries.id} = ${journalLines.entryId} AND ${journalEntries.entryDate} <= ${asOf}
      JOIN ${accounts} ON ${accounts.id} = ${journalLines.accountId}
      WHERE ${range} GROUP BY 1 LIMIT ${MOST_ACCOUNTS + 1}
    ) AS summed JOIN ${accounts} ON ${accounts.id} = summed.account_id`;
}

export function renderTrialBalance(
  { asOf, accounts: rows }: TrialBalanceRow,
  { company }: Pick<CallCtx, "company">,
) {
  const total = (side: "debit" | "credit") => moneyToWire(rows.reduce((sum, row) => sum + row[side], 0));
  return {
    as_of: asOf,
    currency: company.currency,
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
