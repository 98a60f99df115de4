import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { GatewayKind } from "#shared/payments/gateways.ts";

export const gatewayAccounts = sqliteTable("gateway_accounts", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  kind: text("kind").$type<GatewayKind>().notNull(),
  mode: text("mode").$type<"test" | "live">().notNull(),
  currencies: text("currencies").notNull(),
  priority: integer("priority").notNull(),
  isActive: integer("is_active").notNull(),
  /** Sealed, as are the secrets below. */
  credentials: text("credentials").notNull(),
  webhookSecret: text("webhook_secret"),
  previousWebhookSecret: text("previous_webhook_secret"),
  previousValidUntil: integer("previous_valid_until"),
  /** The last four characters of each secret, by its name, as JSON. */
  lastFour: text("last_four").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const paymentIntents = sqliteTable("payment_intents", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  kind: text("kind").$type<"order" | "booking">().notNull(),
  refId: text("ref_id").notNull(),
  gateway: text("gateway").$type<GatewayKind>().notNull(),
  gatewayAccountId: integer("gateway_account_id").notNull(),
  gatewayOrderId: text("gateway_order_id"),
  amount: integer("amount").notNull(),
  currency: text("currency").notNull(),
  status: text("status").$type<"created" | "paid" | "failed" | "mismatch">().notNull().default("created"),
  gatewayPaymentId: text("gateway_payment_id"),
  nextLookAt: integer("next_look_at").notNull(),
  createdAt: integer("created_at").notNull(),
  paidAt: integer("paid_at"),
});

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
