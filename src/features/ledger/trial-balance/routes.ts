import { Router } from "#api/operations/operation.ts";
import { TrialBalance, TrialBalanceQuery } from "./schema.ts";
import { renderTrialBalance, trialBalance } from "./trial-balance.ts";

export const trialBalanceRoutes = new Router("Ledger", "/trial-balance").get({ trialBalance }, "/", {
  summary: "Read the trial balance",
  description: "From the entries dated up to `as_of`. Debits equal credits exactly.",
  query: TrialBalanceQuery,
  record: { schema: TrialBalance, render: renderTrialBalance },
});
