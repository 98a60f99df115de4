import type { Sentences } from "./sentence.ts";

/** The tables whose new rows always have an event, by that event's type, with when a row was made. */
const CREATED = {
  "customer.created": ["customers", "created_at", "is_customer = 1"],
  "product.created": ["products", "created_at", "1"],
  "invoice.created": ["invoices", "created_at", "1"],
  "credit_note.created": ["credit_notes", "created_at", "1"],
  "payment.recorded": ["payments", "created_at", "1"],
  "refund.created": ["gateway_refunds", "created_at", "1"],
  "order.created": ["sales_orders", "created_at", "1"],
  "package.granted": ["booking_packages", "created_at", "1"],
  "lead.captured": ["leads", "created_at", "1"],
  "application.received": ["applications", "applied_at", "1"],
  "work_item.created": ["work_items", "created_at", "1"],
} as const;

const HOUR_MS = 3_600_000;

/** The tables whose records have another name than their own. */
const OTHERWISE: Readonly<Record<string, string>> = {
  sales_orders: "order",
  booking_packages: "package",
  gateway_refunds: "refund",
};

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

/** What holds of events. */
export const EVENTS: Sentences = {
  // Its picture goes with an erased person, and the event itself after the days that the company keeps events.
  "a booking, a package and an order are what their last event says": Object.entries(PICTURED)
    .map(([resource, [table, columns, silent]]) => {
      const pictured = columns.map((column) => `snapshot ->> '$.${column}'`);
      return `SELECT '${resource} ' || ${table}.id FROM ${table} JOIN events ON sequence = (
          SELECT max(sequence) FROM events AS newer INDEXED BY events_record
          WHERE newer.resource = '${resource}' AND newer.record_id = CAST(${table}.id AS TEXT))
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
  "every event is stamped": "SELECT id FROM events WHERE request_id IS NULL",
  // A lease that has lapsed is found by the clock within a minute.
  "no sending of an event is leased by a run that has died": `
    SELECT id FROM event_deliveries WHERE state = 'sending'
      AND leased_until < (SELECT at FROM audit_log ORDER BY id DESC LIMIT 1) - ${5 * 60_000}`,
  "every sending of an event has its event": `SELECT id FROM event_deliveries
    WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.sequence = event_deliveries.sequence)`,
  // Messages are forgotten the oldest first, while what became of notifications is still known.
  "a notification that was sent has its message, of its rule": `SELECT id FROM notifications WHERE state = 'sent'
    AND message_id >= (SELECT min(id) FROM messages) AND NOT EXISTS (
      SELECT 1 FROM messages WHERE messages.id = message_id AND messages.rule = notifications.rule)`,
  // Of the last hour that was written in, and since the oldest event that is kept. The index by type would read each
  // event of the type for each record.
  "every record of the last hour has the event of its beginning": Object.entries(CREATED)
    .map(
      ([type, [table, at, where]]) => `SELECT '${type} ' || id FROM ${table}
        WHERE ${where} AND ${at} > (SELECT at FROM audit_log ORDER BY id DESC LIMIT 1) - ${HOUR_MS}
          AND ${at} > (SELECT min(at) FROM events)
          AND NOT EXISTS (SELECT 1 FROM events INDEXED BY events_record WHERE resource = '${resourceOf(table)}'
            AND record_id = CAST(${table}.id AS TEXT) AND type = '${type}')`,
    )
    .join(" UNION ALL "),
};

function resourceOf(table: string): string {
  return OTHERWISE[table] ?? table.slice(0, -1);
}
