import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const gatewayEvents = sqliteTable(
  "gateway_events",
  {
    gateway: text("gateway").notNull(),
    eventId: text("event_id").notNull(),
    type: text("type").notNull(),
    payloadSha256: text("payload_sha256").notNull(),
    intentId: integer("intent_id"),
    gatewayPaymentId: text("gateway_payment_id"),
    outcome: text("outcome").notNull(),
    receivedAt: integer("received_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.gateway, table.eventId] })],
);
