import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import { account } from "#features/ledger";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { isoDate } from "#shared/time/dates.ts";
import { AsOfQuery, asGiven, currency, pageOf, requireOrder } from "./period.ts";
import { debtorsParameter, sumAccounts } from "./sums.ts";

const TrialBalanceQuery = AsOfQuery.extend({
  from: isoDate.optional().meta({
    description: "With it each account has its `opening_balance`, and debits and credits from this day on.",
  }),
  debtors: debtorsParameter.meta({
    description:
      "`each` (default): one account for each customer. `together`: their sum as Sundry Debtors. A company that uses more than 40,000 accounts must send `together`.",
  }),
});
const TrialBalance = z
  .object({
    from: z.string().optional().describe("As sent."),
    as_of: z.string().describe("The last day that counts."),
    currency,
    accounts: z.array(
      account.schema
        .pick({ code: true, name: true, type: true, debit: true, credit: true, balance: true })
        .extend({
          opening_balance: moneyOnWire
            .optional()
            .meta({ description: "The balance before `from`, where that is sent." }),
        }),
    ),
    total_debit: moneyOnWire,
    total_credit: moneyOnWire,
  })
  .meta({ id: "TrialBalance" });

export const trialBalanceRoutes = new Router("Ledger", "/trial-balance").get({ trialBalance }, "/", {
  summary: "Read the trial balance",
  description:
    "From the entries dated up to `as_of`. Debits equal credits exactly. No entry closes a year, so income and expenses are those of all years.",
  query: TrialBalanceQuery,
  record: asGiven(TrialBalance),
  page: pageOf("Trial balance", trialBalance),
});

/** Debits and credits of every account with lines, of the entries dated up to a day. */
async function trialBalance(
  ctx: CallCtx,
  _params: unknown,
  { from, as_of: asOf = companyToday(ctx), debtors = "each" }: z.infer<typeof TrialBalanceQuery>,
) {
  if (from !== undefined) requireOrder(from, asOf, "as_of");
  const sums = await sumAccounts(ctx, { from, to: asOf, debtors });
  const total = (side: "debit" | "credit") => moneyToWire(sums.reduce((sum, row) => sum + row[side], 0));
  return {
    ...(from === undefined ? {} : { from }),
    as_of: asOf,
    currency: ctx.company.currency,
    accounts: sums.map(({ opening, debit, credit, ...row }) => ({
      ...row,
      ...(from === undefined ? {} : { opening_balance: moneyToWire(opening) }),
      debit: moneyToWire(debit),
      credit: moneyToWire(credit),
      balance: moneyToWire(opening + debit - credit),
    })),
    total_debit: total("debit"),
    total_credit: total("credit"),
  };
}
