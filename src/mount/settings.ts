import { keyRoutes } from "#control/key-routes.ts";
import { schoolStaffRouters } from "../features/bookings/staff-routes.ts";
import { employeeRoutes } from "../features/company/employees/routes.ts";
import { companyRoutes } from "../features/company/routes.ts";
import { customerSettingsRoutes } from "../features/customers/settings/routes.ts";
import { gatewayRoutes } from "../features/gateway-payments/routes.ts";
import { leadSettingsRoutes } from "../features/leads/settings/routes.ts";
import { leadSourceRoutes } from "../features/leads/sources/routes.ts";
import { accountSettingsRoutes } from "../features/ledger/settings/routes.ts";
import { contactSettingsRoutes } from "../features/messaging/settings/contacts/routes.ts";
import { messagingRetentionRoutes } from "../features/messaging/settings/retention/routes.ts";
import { messagingSettingsRoutes } from "../features/messaging/settings/routes.ts";
import { paymentModeRoutes } from "../features/payments/settings/routes.ts";
import { productSettingsRoutes } from "../features/products/settings/routes.ts";
import { workItemStatusRoutes } from "../features/projects/settings/routes.ts";
import { applicationRoutes } from "../features/recruitment/applications/routes.ts";
import { jobSettingsRoutes } from "../features/recruitment/settings/routes.ts";

/** The settings of every feature: one area to its clients. */
export const settingsRouters = [
  companyRoutes,
  customerSettingsRoutes,
  accountSettingsRoutes,
  paymentModeRoutes,
  productSettingsRoutes,
  gatewayRoutes,
  messagingSettingsRoutes,
  messagingRetentionRoutes,
  contactSettingsRoutes,
  jobSettingsRoutes,
  applicationRoutes,
  leadSettingsRoutes,
  leadSourceRoutes,
  ...schoolStaffRouters,
  employeeRoutes,
  workItemStatusRoutes,
  keyRoutes,
] as const;
