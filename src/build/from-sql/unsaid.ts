// What the SQL does not say of its tables, and the code has to know.

/** What the code calls otherwise: tables, and columns by their tables. */
export const NAMES: Readonly<Record<string, string>> = {
  mark_key: "hmacKey",
  provider_events_unmatched: "unmatchedReceipts",
  "applications.visitor": "visitorHash",
  "event_endpoints.previous_sealed_secret": "previousEncryptedSecret",
  "event_endpoints.sealed_secret": "encryptedSecret",
  "messaging_providers.sealed_config": "encryptedConfig",
  "messaging_providers.sealed_token": "encryptedToken",
  "operations.scope": "idempotencyRecordKey",
  "payment_intents.next_look_at": "nextPollAt",
};

/** Whose the tables of a file are, where its name does not say it; behind a slash, a module of its own. */
export const OWNERS_OF_FILES: Readonly<Record<string, string>> = {
  audit: "core",
  control_copy: "tenancy/own-database",
  entries_by_hand: "ledger",
  event_feed: "events",
  exchange_rates: "ledger",
  external_ids: "core",
  instructors: "bookings",
  list_orders: "core",
  setting_changes: "core",
};

/** Whose tables stand in the file of another. */
export const OWNERS: Readonly<Record<string, string>> = {
  advances: "captures",
  database_generation: "tenancy/own-database",
  events: "core",
  gateway_captures: "captures",
  lesson_receipts: "bookings",
  mark_key: "core",
  settled_refunds: "captures",
  settlements: "captures",
};

const CATEGORY = "(typeof workItemStatuses.category.enumValues)[number]";
const LANGUAGE = 'import("#shared/text/language.ts").Language';
const STATUS = 'import("../../src/features/messaging/messages/status.ts").Status';

/** What a column holds of which no CHECK lists the values; `gateway` is one of several tables. */
export const TYPES: Readonly<Record<string, string>> = {
  gateway: 'import("#shared/payments/gateways.ts").GatewayKind',
  "applications.status":
    '(typeof import("../../src/features/recruitment/applications/record.ts").APPLICATION_STATUSES)[number]',
  "bookings.contact_language": LANGUAGE,
  "company_copy.status": '"active" | "suspended"',
  "customers.gst_category": '(typeof import("#shared/gst/gst-categories.ts").GST_CATEGORIES)[number]',
  "gateway_refunds.reason": 'import("#shared/payments/refunds.ts").RefundReason',
  "gateway_refunds.speed": '(typeof import("#shared/payments/refunds.ts").REFUND_SPEEDS)[number]',
  "inbound_messages.type": 'import("#shared/contact/inbound-types.ts").InboundType',
  "invoices.source": '"api" | "storefront" | "booking"',
  "jobs.salary_interval": '"hour" | "month" | "year"',
  "jobs.workplace_type": '"on_site" | "remote" | "hybrid"',
  "message_recipients.status": STATUS,
  "messages.status": STATUS,
  "notification_templates.channel": "(typeof notifications.channel.enumValues)[number]",
  "notification_templates.language": LANGUAGE,
  "payments.source": '"api" | "storefront" | "booking" | "hosted_page"',
  "provider_events_unmatched.status": STATUS,
  "setting_changes.setting": 'import("#shared/settings.ts").SettingName',
  "status_history.from_category": CATEGORY,
  "status_history.to_category": CATEGORY,
  "unposted.source_type":
    '"invoice" | "payment" | "advance" | "credit_note" | "credit_payout" | "gateway_refund" | "lesson_receipt" | "lesson"',
};
