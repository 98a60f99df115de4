import { booksCheckRoutes } from "#control/self-check/routes.ts";
import { ledgerRoutes } from "./features/ledger/routes.ts";

/** The ledger's records, and the check of them, which is of the control plane's making. */
export const ledgerRouters = [ledgerRoutes, booksCheckRoutes] as const;
