import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { GatewayKind } from "#shared/payments/gateways.ts";

export const paymentIntents = sqliteTable("payment_intents", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  kind: text("kind").$type<"order" | "booking" | "invoice">().notNull(),
  refId: text("ref_id").notNull(),
  gateway: text("gateway").$type<GatewayKind>().notNull(),
  gatewayAccountId: integer("gateway_account_id").notNull(),
  gatewayOrderId: text("gateway_order_id"),
  paymentUrl: text("payment_url"),
  amount: integer("amount").notNull(),
  currency: text("currency").notNull(),
  status: text("status").$type<"created" | "paid" | "failed" | "mismatch">().notNull().default("created"),
  gatewayPaymentId: text("gateway_payment_id"),
  nextPollAt: integer("next_look_at").notNull(),
  createdAt: integer("created_at").notNull(),
  paidAt: integer("paid_at"),
});
