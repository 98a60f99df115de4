import { keyRoutes } from "#tenancy/keys/routes.ts";
import { schoolStaffRouters } from "../features/bookings/staff-routes.ts";
import { auditLogRoutes } from "../features/company/audit-log/audit-log.ts";
import { employeeRoutes } from "../features/company/employees/employees.ts";
import { profileRoutes } from "../features/company/profile/profile.ts";
import { customerSettingsRoutes } from "../features/customers/routes.ts";
import { erasureRoutes } from "../features/erasures/routes.ts";
import { deliveryRoutes } from "../features/events/deliveries/routes.ts";
import { endpointRoutes } from "../features/events/endpoints/routes.ts";
import { eventRoutes } from "../features/events/routes.ts";
import { gatewayRoutes } from "../features/gateway-payments/gateways/gateways.ts";
import { leadSettingsRoutes } from "../features/leads/leads/routes.ts";
import { sourceSettingsRoutes } from "../features/leads/sources/sources.ts";
import { accountSettingsRoutes } from "../features/ledger/accounts/accounts.ts";
import { exchangeRateRoutes } from "../features/ledger/exchange/rates.ts";
import { booksSettingsRoutes } from "../features/ledger/settings/books.ts";
import { optoutRoutes } from "../features/messaging/contacts/optouts.ts";
import { suppressionRoutes } from "../features/messaging/contacts/suppressions.ts";
import { providerRoutes } from "../features/messaging/providers/routes.ts";
import { retentionRoutes } from "../features/messaging/retention/settings.ts";
import { templateRoutes } from "../features/messaging/templates/sms-templates.ts";
import { notificationRoutes } from "../features/notifications/settings/settings.ts";
import { notificationTemplateRoutes } from "../features/notifications/templates/routes.ts";
import { paymentModeSettingsRoutes } from "../features/payments/modes/modes.ts";
import { categorySettingsRoutes } from "../features/products/categories/categories.ts";
import { unitSettingsRoutes } from "../features/products/units/units.ts";
import { workItemStatusRoutes } from "../features/projects/statuses/statuses.ts";
import { applicationSettingsRoutes } from "../features/recruitment/applications/applications.ts";
import { recruitmentSettingsRoutes } from "../features/recruitment/applications/retention-settings.ts";
import { departmentSettingsRoutes } from "../features/recruitment/departments/departments.ts";
import { jobSettingsRoutes } from "../features/recruitment/jobs/job-settings.ts";
import { refundSettingsRoutes } from "../features/refunds/settings.ts";
import { ERASURE_CHANGES, PERSON_ERASURE } from "./erasers.ts";
import { allResources } from "./resources.ts";

/** The settings of every feature: one area to its clients. */
export async function settingsRouters() {
  const resources = await allResources();
  return [
    profileRoutes,
    auditLogRoutes,
    eventRoutes(resources),
    endpointRoutes(resources),
    deliveryRoutes(resources),
    customerSettingsRoutes,
    accountSettingsRoutes,
    paymentModeSettingsRoutes,
    booksSettingsRoutes,
    exchangeRateRoutes,
    refundSettingsRoutes,
    unitSettingsRoutes,
    categorySettingsRoutes,
    gatewayRoutes,
    providerRoutes,
    templateRoutes,
    retentionRoutes,
    optoutRoutes,
    suppressionRoutes,
    notificationRoutes,
    notificationTemplateRoutes,
    erasureRoutes(PERSON_ERASURE, ERASURE_CHANGES),
    departmentSettingsRoutes,
    jobSettingsRoutes,
    applicationSettingsRoutes,
    recruitmentSettingsRoutes,
    leadSettingsRoutes,
    sourceSettingsRoutes,
    ...schoolStaffRouters,
    employeeRoutes,
    workItemStatusRoutes,
    keyRoutes,
  ];
}
