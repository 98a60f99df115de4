import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx } from "#core/context.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readInSteps } from "#features/ledger";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { fieldProblem } from "#shared/problem.ts";
import { accounts, journalEntries, journalLines } from "#tables/ledger";

const MOST_ACCOUNTS = 40_000;
const FIRST_DAY = "";

const shape = {
  code: accounts.code,
  name: accounts.name,
  type: accounts.type,
  opening: sql<number>`opening`,
  debit: sql<number>`debit`,
  credit: sql<number>`credit`,
};
/** An account: its balance before the period (debits minus credits), and what was debited and credited in it. */
export type AccountSums = JsonRow<typeof shape>;

export const debtorsParameter = z.enum(["each", "together"]).optional();

type Asked = { from?: string | undefined; to: string; debtors: "each" | "together" };

/** The sums of every account with entries dated up to a day, by their codes; without `from`, all of them are of the period. */
export async function sumAccounts(
  given: CallCtx,
  { from = FIRST_DAY, to, debtors }: Asked,
): Promise<AccountSums[]> {
  const ctx = { ...given, database: given.database.alone };
  const account = debtors === "each" ? EACH : DEBTORS_TOGETHER;
  const sums = new Map<string, AccountSums>();
  const add = (rows: readonly AccountSums[]) => {
    for (const row of rows) {
      const sum = sums.get(row.code) ?? { ...row, opening: 0, debit: 0, credit: 0 };
      sum.opening += row.opening;
      sum.debit += row.debit;
      sum.credit += row.credit;
      sums.set(row.code, sum);
    }
    if (sums.size > MOST_ACCOUNTS)
      throw fieldProblem(
        "debtors",
        "too_many",
        `must be \`together\`: more than ${MOST_ACCOUNTS} accounts have entries`,
      );
  };
  await readInSteps(ctx, (range) => selectSums(account, from, to, range), add);
  return [...sums.values()].sort((one, other) => (one.code < other.code ? -1 : 1));
}

const EACH = sql`${accounts.id}`;
const DEBTORS_TOGETHER = sql`iif(${accounts.partyId} IS NULL, ${accounts.id}, ${accounts.parentId})`;

/** Each account's sums over a range of entries. */
function selectSums(account: SQL, from: string, to: string, range: SQL): SQL<AccountSums> {
  const { debit, credit } = journalLines;
  const before = sql`${journalEntries.entryDate} < ${from}`;
  return sql`SELECT ${jsonObject(shape)} AS snapshot FROM (
      SELECT ${account} AS account_id, sum(iif(${before}, ${debit} - ${credit}, 0)) AS opening,
        sum(iif(${before}, 0, ${debit})) AS debit, sum(iif(${before}, 0, ${credit})) AS credit FROM ${journalLines}
      JOIN ${journalEntries} ON ${journalEntries.id} = ${journalLines.entryId} AND ${journalEntries.entryDate} <= ${to}
      JOIN ${accounts} ON ${accounts.id} = ${journalLines.accountId}
      WHERE ${range} GROUP BY 1 LIMIT ${MOST_ACCOUNTS + 1}
    ) AS summed JOIN ${accounts} ON ${accounts.id} = summed.account_id`;
}

export const AccountAmount = z
  .object({ code: z.string(), name: z.string(), amount: moneyOnWire })
  .meta({ id: "AccountAmount" });

/** The accounts of a type by what `amountOf` gives of each, without those of nothing; and their total in minor units. */
export function amountsOf(
  sums: readonly AccountSums[],
  type: AccountSums["type"],
  amountOf: (sums: AccountSums) => number,
): { accounts: z.infer<typeof AccountAmount>[]; total: number } {
  const own = sums.filter((one) => one.type === type && amountOf(one) !== 0);
  const accounts = own.map((one) => ({
    ...{ code: one.code, name: one.name },
    amount: moneyToWire(amountOf(one)),
  }));
  return { accounts, total: own.reduce((total, one) => total + amountOf(one), 0) };
}
