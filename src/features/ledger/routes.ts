import { accountRoutes } from "./accounts/accounts.ts";
import { byHandRoutes } from "./by-hand/routes.ts";
import { entryRoutes } from "./entries/entries.ts";
import { postMissingRoutes } from "./unposted/post-missing.ts";
import { unpostedRoutes } from "./unposted/unposted.ts";

/** All of the ledger: one area to its clients. */
export const ledgerRouters = [
  accountRoutes,
  entryRoutes,
  byHandRoutes,
  unpostedRoutes,
  postMissingRoutes,
] as const;
