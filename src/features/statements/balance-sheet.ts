import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { AsOfQuery, asGiven, currency, pageOf } from "./period.ts";
import { AccountAmount, type AccountSums, amountsOf, debtorsParameter, sumAccounts } from "./sums.ts";

const BalanceSheetQuery = AsOfQuery.extend({
  debtors: debtorsParameter.meta({
    description:
      "`together` (default): one row, Sundry Debtors. `each`: one for each customer; not for a company that uses more than 40,000 accounts.",
  }),
});
const BalanceSheet = z
  .object({
    ...{ as_of: z.string(), currency },
    assets: z.array(AccountAmount).describe("Debits minus credits, where there are any."),
    liabilities: z.array(AccountAmount).describe("Credits minus debits, where there are any."),
    equity: z.array(AccountAmount).describe("Credits minus debits, without profits."),
    retained_earnings: moneyOnWire.describe("The profits of all financial years before that of `as_of`."),
    current_earnings: moneyOnWire.describe("The profit of that year, up to `as_of`."),
    total_assets: moneyOnWire,
    total_liabilities_and_equity: moneyOnWire.describe("With both profits; equals `total_assets` exactly."),
  })
  .meta({ id: "BalanceSheet" });

export const balanceSheetRoutes = new Router("Ledger", "/balance-sheet").get({ balanceSheet }, "/", {
  summary: "Read the balance sheet",
  description:
    "From the entries dated up to `as_of`. Profits need no closing entry: they follow from income and expenses. Books whose two sides differ are damaged: the answer is 500.",
  query: BalanceSheetQuery,
  record: asGiven(BalanceSheet),
  page: pageOf("Balance sheet", wholeSheet),
});

/** What the accounts hold at the end of a day; throws where the two sides differ. */
async function balanceSheet(
  ctx: CallCtx,
  _params: unknown,
  { as_of: asOf = companyToday(ctx), debtors = "together" }: z.infer<typeof BalanceSheetQuery>,
) {
  const { start } = financialYearOf(asOf, ctx.company.country);
  const sums = await sumAccounts(ctx, { from: start, to: asOf, debtors });
  const owned = ({ opening, debit, credit }: AccountSums) => opening + debit - credit;
  const assets = amountsOf(sums, "asset", owned);
  const liabilities = amountsOf(sums, "liability", (one) => -owned(one));
  const equity = amountsOf(sums, "equity", (one) => -owned(one));
  const profit = (amountOf: (one: AccountSums) => number) =>
    amountsOf(sums, "income", amountOf).total + amountsOf(sums, "expense", amountOf).total;
  const retained = profit(({ opening }) => -opening);
  const current = profit(({ debit, credit }) => credit - debit);
  const total = liabilities.total + equity.total + retained + current;
  if (assets.total !== total)
    throw new Error(`balance_sheet_is_equal: assets are ${assets.total}, the other side is ${total}`);
  return {
    ...{ as_of: asOf, currency: ctx.company.currency },
    ...{ assets: assets.accounts, liabilities: liabilities.accounts, equity: equity.accounts },
    retained_earnings: moneyToWire(retained),
    current_earnings: moneyToWire(current),
    total_assets: moneyToWire(assets.total),
    total_liabilities_and_equity: moneyToWire(total),
  };
}

/** What the page shows: profits as a part of equity. */
async function wholeSheet(ctx: CallCtx, params: unknown, query: z.infer<typeof BalanceSheetQuery>) {
  const sheet = await balanceSheet(ctx, params, query);
  const { retained_earnings: retained, current_earnings: current, equity, ...shown } = sheet;
  const profits = [
    { code: "", name: "Retained earnings", amount: retained },
    { code: "", name: "Current earnings", amount: current },
  ];
  return { ...shown, equity: [...equity, ...profits] };
}
