import { ageingRoutes } from "./ageing.ts";
import { balanceSheetRoutes } from "./balance-sheet.ts";
import { customerStatementRoutes } from "./customer-statement.ts";
import { dayBookRoutes } from "./day-book.ts";
import { profitAndLossRoutes } from "./profit-and-loss.ts";
import { trialBalanceRoutes } from "./trial-balance.ts";

/** What the books say of a company and of its customers. */
export const statementRouters = [
  ...[trialBalanceRoutes, profitAndLossRoutes, balanceSheetRoutes],
  ...[dayBookRoutes, ageingRoutes, customerStatementRoutes],
] as const;
