import { keyRoutes } from "#control/keys/routes.ts";
import { schoolStaffRouters } from "../features/bookings/staff-routes.ts";
import { auditLogRoutes } from "../features/company/audit-log/routes.ts";
import { employeeRoutes } from "../features/company/employees/routes.ts";
import { profileRoutes } from "../features/company/profile/routes.ts";
import { customerSettingsRoutes } from "../features/customers/routes.ts";
import { erasureRoutes } from "../features/erasures/routes.ts";
import { deliveryRoutes } from "../features/events/deliveries/routes.ts";
import { endpointRoutes } from "../features/events/endpoints/routes.ts";
import { eventRoutes } from "../features/events/routes.ts";
import { gatewayRoutes } from "../features/gateway-payments/gateways/routes.ts";
import { leadSettingsRoutes } from "../features/leads/leads/routes.ts";
import { sourceSettingsRoutes } from "../features/leads/sources/routes.ts";
import { accountSettingsRoutes } from "../features/ledger/accounts/routes.ts";
import { contactRoutes } from "../features/messaging/contacts/routes.ts";
import { providerRoutes } from "../features/messaging/providers/routes.ts";
import { retentionRoutes } from "../features/messaging/retention/routes.ts";
import { templateRoutes } from "../features/messaging/templates/routes.ts";
import { notificationRoutes } from "../features/notifications/settings/routes.ts";
import { notificationTemplateRoutes } from "../features/notifications/templates/routes.ts";
import { paymentModeSettingsRoutes } from "../features/payments/modes/routes.ts";
import { categorySettingsRoutes } from "../features/products/categories/routes.ts";
import { unitSettingsRoutes } from "../features/products/units/routes.ts";
import { workItemStatusRoutes } from "../features/projects/statuses/routes.ts";
import { applicationSettingsRoutes } from "../features/recruitment/applications/routes.ts";
import { departmentSettingsRoutes } from "../features/recruitment/departments/routes.ts";
import { jobSettingsRoutes } from "../features/recruitment/jobs/routes.ts";
import { ERASURE_CHANGES, PERSON_ERASURE } from "./erasers.ts";
import { RESOURCES } from "./resources.ts";

/** The settings of every feature: one area to its clients. */
export const settingsRouters = [
  profileRoutes,
  auditLogRoutes,
  eventRoutes(RESOURCES),
  endpointRoutes(RESOURCES),
  deliveryRoutes(RESOURCES),
  customerSettingsRoutes,
  accountSettingsRoutes,
  paymentModeSettingsRoutes,
  unitSettingsRoutes,
  categorySettingsRoutes,
  gatewayRoutes,
  providerRoutes,
  templateRoutes,
  retentionRoutes,
  contactRoutes,
  notificationRoutes,
  notificationTemplateRoutes,
  erasureRoutes(PERSON_ERASURE, ERASURE_CHANGES),
  departmentSettingsRoutes,
  jobSettingsRoutes,
  applicationSettingsRoutes,
  leadSettingsRoutes,
  sourceSettingsRoutes,
  ...schoolStaffRouters,
  employeeRoutes,
  workItemStatusRoutes,
  keyRoutes,
] as const;
