import companyFoundation from "../../../migrations/company/0001_foundation.sql";
import companyMoney from "../../../migrations/company/0002_money.sql";
import companyRefusals from "../../../migrations/company/0003_refusals.sql";
import companyStorefront from "../../../migrations/company/0004_storefront.sql";
import companyBookings from "../../../migrations/company/0005_bookings.sql";
import companyMessaging from "../../../migrations/company/0006_messaging.sql";
import companyProjects from "../../../migrations/company/0007_projects.sql";
import companyRecruitment from "../../../migrations/company/0008_recruitment.sql";
import companyMessagingSettings from "../../../migrations/company/0009_messaging_settings.sql";
import companyRefusedOperations from "../../../migrations/company/0010_refused_operations.sql";
import companyDatabaseName from "../../../migrations/company/0011_database_name.sql";
import companyPapers from "../../../migrations/company/0012_papers.sql";
import companyLessons from "../../../migrations/company/0014_lessons.sql";
import companyUnposted from "../../../migrations/company/0016_unposted.sql";
import companyCallbackTokens from "../../../migrations/company/0018_callback_tokens.sql";
import companyWholeNumbers from "../../../migrations/company/0019_whole_numbers.sql";
import companyOrders from "../../../migrations/company/0021_orders.sql";
import companyBooks from "../../../migrations/company/0022_books.sql";
import companyClock from "../../../migrations/company/0023_clock.sql";
import companyNumberGaps from "../../../migrations/company/0024_number_gaps.sql";
import companyGrowth from "../../../migrations/company/0025_growth.sql";
import companyBreaker from "../../../migrations/company/0026_breaker.sql";
import companyControlCopy from "../../../migrations/company/0027_control_copy.sql";
import companyProductUnits from "../../../migrations/company/0028_product_units.sql";
import companyEvents from "../../../migrations/company/0029_events.sql";
import companyInbox from "../../../migrations/company/0030_inbox.sql";
import companyUnsubscribing from "../../../migrations/company/0031_unsubscribing.sql";
import companyEventEndpoints from "../../../migrations/company/0032_event_endpoints.sql";
import companyPersonErasures from "../../../migrations/company/0033_person_erasures.sql";
import companyVisitor from "../../../migrations/company/0034_visitor.sql";
import companyCalls from "../../../migrations/company/0035_calls.sql";
import companyLanguages from "../../../migrations/company/0036_languages.sql";
import companyNotifications from "../../../migrations/company/0037_notifications.sql";
import companyRefundNeeded from "../../../migrations/company/0038_refund_needed.sql";
import controlFoundation from "../../../migrations/control/0001_foundation.sql";
import controlMessaging from "../../../migrations/control/0002_messaging.sql";
import controlRefusedOperations from "../../../migrations/control/0003_refused_operations.sql";
import controlProvisioning from "../../../migrations/control/0004_provisioning.sql";
import controlKeyRights from "../../../migrations/control/0005_key_rights.sql";
import controlOrders from "../../../migrations/control/0006_orders.sql";
import controlKeyRotation from "../../../migrations/control/0008_key_rotation.sql";
import controlFleet from "../../../migrations/control/0010_fleet.sql";
import controlGrowth from "../../../migrations/control/0011_growth.sql";
import controlSpareDatabase from "../../../migrations/control/0012_spare_database.sql";
import controlRestores from "../../../migrations/control/0013_control_restores.sql";
import controlErasures from "../../../migrations/control/0014_erasures.sql";
import controlClosed from "../../../migrations/control/0017_closed.sql";
import controlEventScope from "../../../migrations/control/0018_event_scope.sql";
import controlMessagesWrite from "../../../migrations/control/0019_messages_write.sql";
import controlDiaryScopes from "../../../migrations/control/0020_diary_scopes.sql";

/** One frozen file of SQL, applied once to a database, in the order of the list. */
export type Migration = { name: string; sql: string };

/** Makes the table that holds a database's own name, where it is not there. */
export const DATABASE_NAME_TABLE = companyDatabaseName;

export const CONTROL_MIGRATIONS: readonly Migration[] = [
  { name: "0001_foundation", sql: controlFoundation },
  { name: "0002_messaging", sql: controlMessaging },
  { name: "0003_refused_operations", sql: controlRefusedOperations },
  { name: "0004_provisioning", sql: controlProvisioning },
  { name: "0005_key_rights", sql: controlKeyRights },
  { name: "0006_orders", sql: controlOrders },
  { name: "0008_key_rotation", sql: controlKeyRotation },
  { name: "0010_fleet", sql: controlFleet },
  { name: "0011_growth", sql: controlGrowth },
  { name: "0012_spare_database", sql: controlSpareDatabase },
  { name: "0013_control_restores", sql: controlRestores },
  { name: "0014_erasures", sql: controlErasures },
  { name: "0017_closed", sql: controlClosed },
  { name: "0018_event_scope", sql: controlEventScope },
  { name: "0019_messages_write", sql: controlMessagesWrite },
  { name: "0020_diary_scopes", sql: controlDiaryScopes },
];
export const COMPANY_MIGRATIONS: readonly Migration[] = [
  { name: "0001_foundation", sql: companyFoundation },
  { name: "0002_money", sql: companyMoney },
  { name: "0003_refusals", sql: companyRefusals },
  { name: "0004_storefront", sql: companyStorefront },
  { name: "0005_bookings", sql: companyBookings },
  { name: "0006_messaging", sql: companyMessaging },
  { name: "0007_projects", sql: companyProjects },
  { name: "0008_recruitment", sql: companyRecruitment },
  { name: "0009_messaging_settings", sql: companyMessagingSettings },
  { name: "0010_refused_operations", sql: companyRefusedOperations },
  { name: "0011_database_name", sql: companyDatabaseName },
  { name: "0012_papers", sql: companyPapers },
  { name: "0014_lessons", sql: companyLessons },
  { name: "0016_unposted", sql: companyUnposted },
  { name: "0018_callback_tokens", sql: companyCallbackTokens },
  { name: "0019_whole_numbers", sql: companyWholeNumbers },
  { name: "0021_orders", sql: companyOrders },
  { name: "0022_books", sql: companyBooks },
  { name: "0023_clock", sql: companyClock },
  { name: "0024_number_gaps", sql: companyNumberGaps },
  { name: "0025_growth", sql: companyGrowth },
  { name: "0026_breaker", sql: companyBreaker },
  { name: "0027_control_copy", sql: companyControlCopy },
  { name: "0028_product_units", sql: companyProductUnits },
  { name: "0029_events", sql: companyEvents },
  { name: "0030_inbox", sql: companyInbox },
  { name: "0031_unsubscribing", sql: companyUnsubscribing },
  { name: "0032_event_endpoints", sql: companyEventEndpoints },
  { name: "0033_person_erasures", sql: companyPersonErasures },
  { name: "0034_visitor", sql: companyVisitor },
  { name: "0035_calls", sql: companyCalls },
  { name: "0036_languages", sql: companyLanguages },
  { name: "0037_notifications", sql: companyNotifications },
  { name: "0038_refund_needed", sql: companyRefundNeeded },
];
