import type { Sentences } from "./sentence.ts";

/**
 * The records whose changes leave events, with the columns that their last event pictures as they are, and the change
 * that leaves none.
 */
const PICTURED: Record<string, [table: string, columns: string[], silent: string]> = {
  booking: [
    "bookings",
    [
      "payment_status",
      "total_amount",
      "currency",
      "booking_date",
      "start_time",
      "instructor_id",
      "product_id",
    ],
    "0",
  ],
  package: ["booking_packages", ["status", "product_id", "customer_id", "sessions_total", "expires_at"], "0"],
  order: [
    "sales_orders",
    ["status", "payment_status", "total_amount", "currency"],
    // Money that came for a cancelled order was given back: the order is cancelled as before.
    "sales_orders.status = 'cancelled' AND sales_orders.payment_status = 'unpaid' AND type = 'order.review_needed'",
  ],
};

const OWNED =
  "customers products invoices payments credit_notes bookings leads work_items sales_orders".split(" ");

/** What has a page, where its events say the page's address, and the operation that renews it. */
const HOSTED = [
  ["invoice", "invoices", "$.invoice.public_token", "renewHostedUrl"],
  ["credit_note", "credit_notes", "$.public_token", null],
  ["booking", "bookings", "$.public_token", null],
] as const;

/** Each record beside its last event, where that still has its picture. */
const withLastEvent = (resource: string, table: string) => `${table} JOIN events ON sequence = (
          SELECT max(sequence) FROM events AS newer INDEXED BY events_record
          WHERE newer.resource = '${resource}' AND newer.record_id = CAST(${table}.id AS TEXT))`;

const isLogged = (condition: string) => `EXISTS (SELECT 1 FROM audit_log WHERE ${condition})`;

/** What holds because each change of a record leaves an event or a row of the audit log. */
export const TRACES: Sentences = {
  // Its picture goes with an erased person, and the event itself after the days that the company keeps events.
  "a booking, a package and an order are what their last event says": Object.entries(PICTURED)
    .map(([resource, [table, columns, silent]]) => {
      const pictured = columns.map((column) => `snapshot ->> '$.${column}'`);
      return `SELECT '${resource} ' || ${table}.id FROM ${withLastEvent(resource, table)}
        WHERE snapshot IS NOT NULL AND (${columns.map((column) => `${table}.${column}`).join(", ")}) IS NOT (${pictured.join(", ")})
          AND NOT (${silent})`;
    })
    .join(" UNION ALL "),
  "a booking has the status of its last event, but for a hold that had run out by then": `
    SELECT bookings.id FROM bookings JOIN events ON sequence = (
        SELECT max(sequence) FROM events AS newer INDEXED BY events_record
        WHERE newer.resource = 'booking' AND newer.record_id = bookings.id)
      WHERE snapshot IS NOT NULL AND bookings.status <> snapshot ->> '$.status'
        AND NOT (bookings.status = 'pending' AND snapshot ->> '$.status' = 'expired')`,
  "the address of an invoice's, a credit note's and a booking's page is that of its last event, unless it was renewed":
    HOSTED.map(
      ([resource, table, address, renewal]) =>
        `SELECT '${resource} ' || ${table}.id FROM ${withLastEvent(resource, table)}
        WHERE ${table}.public_token <> snapshot ->> '${address}'
          AND NOT ${isLogged(`record = CAST(${table}.id AS TEXT) AND action = '${renewal}'`)}`,
    ).join(" UNION ALL "),
  // A refund and a note end it without an event once no money waits; staff end it with a reference.
  "an order that was owed money is owed it as long as that waits": `
    SELECT sales_orders.id FROM ${withLastEvent("order", "sales_orders")}
    WHERE snapshot ->> '$.needs_refund' = 1 AND needs_refund = 0 AND review_code IS NULL AND outside_reference IS NULL
      AND EXISTS (SELECT 1 FROM payment_intents intent JOIN gateway_captures capture ON capture.intent_id = intent.id
        WHERE intent.kind = 'order' AND intent.ref_id = CAST(sales_orders.id AS TEXT) AND advance_amount > 0)`,
  "a package that was granted is there, unless its removal left an event": `
    SELECT record_id FROM events granted WHERE type = 'package.granted'
      AND NOT EXISTS (SELECT 1 FROM booking_packages WHERE id = CAST(record_id AS INTEGER))
      AND NOT EXISTS (SELECT 1 FROM events later INDEXED BY events_record WHERE later.resource = 'package'
        AND later.record_id = granted.record_id AND later.type = 'package.cancelled')`,
  "the lock of the books and the filed months were set by a call": ["locked_through", "gst_filed_through"]
    .map(
      (column) => `SELECT '${column}' FROM books_settings WHERE ${column} IS NOT NULL
        AND NOT ${isLogged(`record = '1' AND action = 'updateBooksSettings' AND EXISTS (
          SELECT 1 FROM audit_changes, json_each(fields) WHERE audit_id = audit_log.id AND value = '${column}')`)}
        AND NOT EXISTS (SELECT 1 FROM audit_cut)`,
    )
    .join(" UNION ALL "),
  "the lock of the books and the filed months are what the last call made them": [
    "locked_through",
    "gst_filed_through",
  ]
    .map(
      (column) => `SELECT '${column}' FROM books_settings JOIN audit_changes ON audit_id = (
          SELECT max(id) FROM audit_log JOIN audit_changes ON audit_id = id
          WHERE record = '1' AND action = 'updateBooksSettings' AND kept -> '$.${column}' IS NOT NULL)
        WHERE ${column} IS NOT kept ->> '$.${column}.to'`,
    )
    .join(" UNION ALL "),
  "an id of a caller's own is of a record that is there, unless it was erased": OWNED.map(
    (table) => `SELECT kind || ' ' || record_id FROM external_ids
      WHERE kind = '${table.replace("sales_", "").slice(0, -1)}' AND is_erased = 0
        AND NOT EXISTS (SELECT 1 FROM ${table} WHERE id = record_id)`,
  ).join(" UNION ALL "),
  // A new company's modes have no account.
  "a payment mode was last changed by a call": `
    SELECT id FROM payment_modes WHERE (account_id IS NOT NULL OR updated_at > created_at)
      AND NOT ${isLogged(`record = CAST(payment_modes.id AS TEXT)
        AND action IN ('createPaymentMode', 'updatePaymentMode') AND at = payment_modes.updated_at`)}
      AND NOT EXISTS (SELECT 1 FROM audit_cut)`,
};
