import { keyRoutes, platformRoutes } from "#control/routes.ts";
import type { Operation } from "#http/operation.ts";
import { bookingRoutes } from "./features/bookings/routes.ts";
import { bookingSettingsRoutes } from "./features/bookings/settings/routes.ts";
import { customerRoutes } from "./features/customers/routes.ts";
import { invoiceRoutes } from "./features/invoices/routes.ts";
import { productRoutes } from "./features/products/routes.ts";

/** Operations under the base addresses. */
export const operations: readonly Operation[] = [
  invoiceRoutes,
  customerRoutes,
  productRoutes,
  bookingRoutes,
  bookingSettingsRoutes,
  keyRoutes,
].flatMap((router) => router.operations);

/** Operations at the root of the host. */
export const platformOperations: readonly Operation[] = platformRoutes.operations;
