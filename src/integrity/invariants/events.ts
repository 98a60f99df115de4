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

/** What holds of events. */
export const EVENTS: Sentences = {
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
