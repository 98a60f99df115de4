import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { GatewayKind } from "#shared/payments/gateways.ts";

export const gatewayEvents = sqliteTable(
  "gateway_events",
  {
    gateway: text("gateway").$type<GatewayKind>().notNull(),
    eventId: text("event_id").notNull(),
    type: text("type").notNull(),
    payloadSha256: text("payload_sha256").notNull(),
    intentId: integer("intent_id"),
    gatewayPaymentId: text("gateway_payment_id"),
    outcome: text("outcome").notNull(),
    receivedAt: integer("received_at").notNull(),
    /** Of money that no record of the company knows. */
    amount: integer("amount"),
    currency: text("currency"),
  },
  (table) => [primaryKey({ columns: [table.gateway, table.eventId] })],
);
