import { booksCheckRoutes } from "#integrity/self-check/routes.ts";
import { receiptRoutes } from "../features/bookings/receipts/ledger-receipts.ts";
import { captureRouters } from "../features/captures/routes.ts";
import { creditLedgerRoutes } from "../features/credit-notes/routes.ts";
import { ledgerRouters } from "../features/ledger/routes.ts";
import { captureSettleRoutes } from "../features/payments/captures/routes.ts";
import { stockMovementRoutes } from "../features/products/stock/list-movements.ts";
import { statementRouters } from "../features/statements/routes.ts";

/** The ledger to its clients. The control plane provides the check of the books. */
export const ledgerArea = [
  ...ledgerRouters,
  ...statementRouters,
  ...captureRouters,
  captureSettleRoutes,
  ...creditLedgerRoutes,
  receiptRoutes,
  stockMovementRoutes,
  booksCheckRoutes,
] as const;
