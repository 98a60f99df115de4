import { keyRoutes, platformRoutes } from "#control/routes.ts";
import type { Operation } from "#http/operation.ts";
import { fieldRoutes } from "./features/bookings/fields/routes.ts";
import { instructorRoutes } from "./features/bookings/instructors/routes.ts";
import { packageRoutes, packageSettingsRoutes } from "./features/bookings/packages/routes.ts";
import { reservationRoutes } from "./features/bookings/reservations/routes.ts";
import { bookingRoutes } from "./features/bookings/routes.ts";
import { bookingSettingsRoutes } from "./features/bookings/settings/routes.ts";
import { companyRoutes } from "./features/company/routes.ts";
import { customerRoutes } from "./features/customers/routes.ts";
import { gatewayRoutes } from "./features/gateway-payments/routes.ts";
import { invoiceRoutes } from "./features/invoices/routes.ts";
import { ledgerRoutes } from "./features/ledger/routes.ts";
import { accountSettingsRoutes } from "./features/ledger/settings/routes.ts";
import { paymentRoutes } from "./features/payments/routes.ts";
import { paymentModeRoutes } from "./features/payments/settings/routes.ts";
import { productRoutes } from "./features/products/routes.ts";
import { productSettingsRoutes } from "./features/products/settings/routes.ts";
import { storefrontRoutes } from "./features/storefront/routes.ts";

/** Operations under the base addresses. */
export const operations: readonly Operation[] = [
  invoiceRoutes,
  customerRoutes,
  productRoutes,
  paymentRoutes,
  ledgerRoutes,
  storefrontRoutes,
  bookingRoutes,
  reservationRoutes,
  packageRoutes,
  companyRoutes,
  accountSettingsRoutes,
  paymentModeRoutes,
  productSettingsRoutes,
  gatewayRoutes,
  bookingSettingsRoutes,
  instructorRoutes,
  fieldRoutes,
  packageSettingsRoutes,
  keyRoutes,
].flatMap((router) => router.operations);

/** Operations at the root of the host. */
export const platformOperations: readonly Operation[] = platformRoutes.operations;
