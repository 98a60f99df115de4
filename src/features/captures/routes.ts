import { ignoredPaymentRoutes } from "./ignored-payments.ts";
import { captureRoutes } from "./list.ts";
import { reverseSettlementRoutes } from "./reverse-settlement.ts";
import { settlementRoutes } from "./settlements.ts";

/** What gateways took and paid out: a part of the ledger to its clients. */
export const captureRouters = [
  captureRoutes,
  ignoredPaymentRoutes,
  settlementRoutes,
  reverseSettlementRoutes,
] as const;
