import type { Operation } from "#api/operations/operation.ts";
import { companyCheckRoutes } from "#integrity/self-check/routes.ts";
import { tenancyRouters } from "#tenancy/routes.ts";

/** Operations of the operator; at the root of the host, not under the base addresses. */
export const platformOperations: readonly Operation[] = [...tenancyRouters, companyCheckRoutes].flatMap(
  ({ operations }) => operations,
);
