import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { asGiven, currency, PeriodQuery, pageOf, periodOf } from "./period.ts";
import { AccountAmount, amountsOf, sumAccounts } from "./sums.ts";

const ProfitAndLoss = z
  .object({
    ...{ from: z.string(), to: z.string(), currency },
    income: z.array(AccountAmount).describe("Credits minus debits of the period, where there are any."),
    expenses: z.array(AccountAmount).describe("Debits minus credits of the period, where there are any."),
    ...{ total_income: moneyOnWire, total_expenses: moneyOnWire },
    net_profit: moneyOnWire.describe("Income minus expenses; a loss is negative."),
  })
  .meta({ id: "ProfitAndLoss" });

export const profitAndLossRoutes = new Router("Ledger", "/profit-and-loss").get({ profitAndLoss }, "/", {
  summary: "Read the profit and loss of a period",
  description: "Of the financial year so far, unless you name other days.",
  query: PeriodQuery,
  record: asGiven(ProfitAndLoss),
  page: pageOf("Profit and loss", wholeProfit),
});

/** What the accounts of income and expenses have of a period. */
async function profitAndLoss(ctx: CallCtx, _params: unknown, query: PeriodQuery) {
  const { from, to } = periodOf(ctx, query);
  const sums = await sumAccounts(ctx, { from, to, debtors: "together" });
  const income = amountsOf(sums, "income", ({ debit, credit }) => credit - debit);
  const expenses = amountsOf(sums, "expense", ({ debit, credit }) => debit - credit);
  return {
    ...{ from, to, currency: ctx.company.currency },
    ...{ income: income.accounts, expenses: expenses.accounts },
    total_income: moneyToWire(income.total),
    total_expenses: moneyToWire(expenses.total),
    net_profit: moneyToWire(income.total - expenses.total),
  };
}

/** What the page shows: a loss by its name. */
async function wholeProfit(ctx: CallCtx, params: unknown, query: PeriodQuery) {
  const { net_profit: profit, ...shown } = await profitAndLoss(ctx, params, query);
  return { ...shown, ...(profit < 0 ? { net_loss: -profit } : { net_profit: profit }) };
}
