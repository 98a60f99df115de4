import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { CLEARING_ACCOUNTS } from "#shared/payments/books.ts";
import { fieldProblem, type Problem } from "#shared/problem.ts";
import { accounts, journalLines } from "#tables/ledger";
import { readInSteps } from "../entries/read-in-steps.ts";

const GATEWAYS = new Map<string, string>(
  Object.entries(CLEARING_ACCOUNTS).map(([gateway, key]) => [key, gateway]),
);

/** An account by its system key, what an entry takes out of it, and the field that says so. */
type Taken = { key: string; amount: number; field: string };

/**
 * The statements, after those of an entry, that leave no clearing account of a gateway below zero, and what their refusal
 * means. What came and is in no entry may be paid out too; what came in another currency has no worth that is known.
 */
export async function holdClearing(
  ctx: CallCtx,
  given: readonly Taken[],
): Promise<{ held: SQL[]; refusals: Refusals }> {
  const taken = given.filter(({ key, amount }) => GATEWAYS.has(key) && amount > 0);
  const held: SQL[] = [];
  for (const { key } of taken) {
    const { last, balance } = await balanceOf(ctx, key);
    const left = sql`${balance} + (${sumOf(key, sql`${journalLines.entryId} > ${last}`)})`;
    const unposted = sql`FROM unposted_receipts WHERE gateway = ${GATEWAYS.get(key)} AND currency`;
    const exceeds = sql`${left} < 0 AND NOT EXISTS (SELECT 1 ${unposted} <> ${ctx.company.currency})
      AND ${left} + (SELECT coalesce(sum(amount), 0) ${unposted} = ${ctx.company.currency}) < 0`;
    held.push(refuseWhen(exceeds, "clearing_exceeded"));
  }
  return { held, refusals: { clearing_exceeded: () => exceeded(ctx, taken[0]) } };
}

function sumOf(key: string, entries: SQL): SQL<number> {
  return sql<number>`SELECT coalesce(sum(${journalLines.debit} - ${journalLines.credit}), 0) AS snapshot FROM ${journalLines}
    WHERE ${journalLines.accountId} = (SELECT ${accounts.id} FROM ${accounts} WHERE ${accounts.systemKey} = ${key}) AND ${entries}`;
}

/** What an account has after the entry `last`. No entry changes, so a batch adds what came after that one. */
async function balanceOf(ctx: CallCtx, key: string): Promise<{ last: number; balance: number }> {
  let balance = 0;
  const add = ([step = 0]: readonly number[]) => {
    balance += step;
  };
  const last = await readInSteps(ctx, (entries) => sumOf(key, entries), add);
  return { last, balance };
}

/** The 422 that says what a clearing account has. */
async function exceeded(ctx: CallCtx, { key, field } = { key: "", field: "amount" }): Promise<Problem> {
  const balance = moneyToWire((await balanceOf(ctx, key)).balance);
  const words = `takes more out of a gateway's clearing account than the ${balance} that it has`;
  return fieldProblem(field, "settlement_mismatch", words, "settlement_mismatch", { members: { balance } });
}
