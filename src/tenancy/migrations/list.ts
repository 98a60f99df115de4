import companyDatabaseName from "../../../migrations/company/01_database_name.sql";
import companyCore from "../../../migrations/company/02_core.sql";
import companyAudit from "../../../migrations/company/03_audit.sql";
import companyControlCopy from "../../../migrations/company/04_control_copy.sql";
import companyCompany from "../../../migrations/company/05_company.sql";
import companyCustomers from "../../../migrations/company/06_customers.sql";
import companyProducts from "../../../migrations/company/07_products.sql";
import companyLedger from "../../../migrations/company/08_ledger.sql";
import companyInvoices from "../../../migrations/company/09_invoices.sql";
import companyPayments from "../../../migrations/company/10_payments.sql";
import companyGatewayPayments from "../../../migrations/company/11_gateway_payments.sql";
import companyStorefront from "../../../migrations/company/12_storefront.sql";
import companyInstructors from "../../../migrations/company/13_instructors.sql";
import companyBookings from "../../../migrations/company/14_bookings.sql";
import companyMessaging from "../../../migrations/company/15_messaging.sql";
import companyProjects from "../../../migrations/company/16_projects.sql";
import companyRecruitment from "../../../migrations/company/17_recruitment.sql";
import companyLeads from "../../../migrations/company/18_leads.sql";
import companyErasures from "../../../migrations/company/19_erasures.sql";
import companyEvents from "../../../migrations/company/20_events.sql";
import companyEventTriggers from "../../../migrations/company/21_event_triggers.sql";
import companyNotifications from "../../../migrations/company/22_notifications.sql";
import companyCreditNotes from "../../../migrations/company/23_credit_notes.sql";
import companyLessons from "../../../migrations/company/24_lessons.sql";
import companyRefunds from "../../../migrations/company/25_refunds.sql";
import companyRefundTargets from "../../../migrations/company/26_refund_targets.sql";
import companySettingChanges from "../../../migrations/company/27_setting_changes.sql";
import companyMoneyMoves from "../../../migrations/company/28_money_moves.sql";
import controlCore from "../../../migrations/control/01_core.sql";
import controlAudit from "../../../migrations/control/02_audit.sql";
import controlCompanies from "../../../migrations/control/03_companies.sql";
import controlKeys from "../../../migrations/control/04_keys.sql";
import controlKeyRotation from "../../../migrations/control/05_key_rotation.sql";
import controlRestores from "../../../migrations/control/06_restores.sql";
import controlUpkeep from "../../../migrations/control/07_upkeep.sql";
import controlRollouts from "../../../migrations/control/08_rollouts.sql";
import controlCompanyUpkeep from "../../../migrations/control/09_company_upkeep.sql";
import controlHourlyJobs from "../../../migrations/control/10_hourly_jobs.sql";
import { COMPANY_ALTERATIONS, CONTROL_ALTERATIONS } from "./alterations.ts";
import type { Migration } from "./missing-and-changed.ts";

/** Makes the table that holds a database's own name, where it is not there. */
export const DATABASE_NAME_TABLE = companyDatabaseName;

export const COMPANY_MIGRATIONS: readonly Migration[] = [
  { name: "01_database_name", sql: companyDatabaseName },
  { name: "02_core", sql: companyCore },
  { name: "03_audit", sql: companyAudit },
  { name: "04_control_copy", sql: companyControlCopy },
  { name: "05_company", sql: companyCompany },
  { name: "06_customers", sql: companyCustomers },
  { name: "07_products", sql: companyProducts },
  { name: "08_ledger", sql: companyLedger },
  { name: "09_invoices", sql: companyInvoices },
  { name: "10_payments", sql: companyPayments },
  { name: "11_gateway_payments", sql: companyGatewayPayments },
  { name: "12_storefront", sql: companyStorefront },
  { name: "13_instructors", sql: companyInstructors },
  { name: "14_bookings", sql: companyBookings },
  { name: "15_messaging", sql: companyMessaging },
  { name: "16_projects", sql: companyProjects },
  { name: "17_recruitment", sql: companyRecruitment },
  { name: "18_leads", sql: companyLeads },
  { name: "19_erasures", sql: companyErasures },
  { name: "20_events", sql: companyEvents },
  { name: "21_event_triggers", sql: companyEventTriggers },
  { name: "22_notifications", sql: companyNotifications },
  { name: "23_credit_notes", sql: companyCreditNotes },
  { name: "24_lessons", sql: companyLessons },
  { name: "25_refunds", sql: companyRefunds },
  { name: "26_refund_targets", sql: companyRefundTargets },
  { name: "27_setting_changes", sql: companySettingChanges },
  { name: "28_money_moves", sql: companyMoneyMoves },
  ...COMPANY_ALTERATIONS,
];
export const CONTROL_MIGRATIONS: readonly Migration[] = [
  { name: "01_core", sql: controlCore },
  { name: "02_audit", sql: controlAudit },
  { name: "03_companies", sql: controlCompanies },
  { name: "04_keys", sql: controlKeys },
  { name: "05_key_rotation", sql: controlKeyRotation },
  { name: "06_restores", sql: controlRestores },
  { name: "07_upkeep", sql: controlUpkeep },
  { name: "08_rollouts", sql: controlRollouts },
  { name: "09_company_upkeep", sql: controlCompanyUpkeep },
  { name: "10_hourly_jobs", sql: controlHourlyJobs },
  ...CONTROL_ALTERATIONS,
];
