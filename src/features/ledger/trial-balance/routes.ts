import { Router } from "#api/operations/operation.ts";
import { TrialBalance, TrialBalanceQuery } from "./schema.ts";
import { renderTrialBalance, trialBalance } from "./trial-balance.ts";

const trialBalanceExample = {
  as_of: "2026-11-21",
  currency: "INR",
  accounts: [
    { code: "1020", name: "Bank", type: "asset" as const, debit: 300, credit: 0, balance: 300 },
    { code: "4000", name: "Sales", type: "income" as const, debit: 0, credit: 300, balance: -300 },
  ],
  total_debit: 300,
  total_credit: 300,
};

export const trialBalanceRoutes = new Router("Ledger", "/trial-balance").get({ trialBalance }, "/", {
  summary: "Read the trial balance",
  description: "From the entries dated up to `as_of`. Debits equal credits exactly.",
  query: TrialBalanceQuery,
  record: { schema: TrialBalance, render: renderTrialBalance },
  example: { result: trialBalanceExample },
});
