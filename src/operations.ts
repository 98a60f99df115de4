import { keyRoutes, platformRoutes } from "#control/routes.ts";
import type { Operation } from "#http/operation.ts";

/** Operations under the base addresses. */
export const operations: readonly Operation[] = [keyRoutes].flatMap((router) => router.operations);

/** Operations at the root of the host. */
export const platformOperations: readonly Operation[] = platformRoutes.operations;
