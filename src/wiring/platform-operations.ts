import type { Operation } from "#api/operations/operation.ts";
import { accessRoutes } from "#integrity/access/routes.ts";
import { readinessRoutes } from "#integrity/readiness/routes.ts";
import { companyCheckRoutes } from "#integrity/self-check/routes.ts";
import { tenancyRouters } from "#tenancy/routes.ts";
import { COMPANY_SECRET_KINDS } from "./secret-kinds.ts";

/** Operations of the operator; at the root of the host, not under the base addresses. */
export const platformOperations: readonly Operation[] = [
  ...tenancyRouters,
  companyCheckRoutes,
  accessRoutes(COMPANY_SECRET_KINDS),
  readinessRoutes,
].flatMap(({ operations }) => operations);
