import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import type {
  RefundReason,
  RefundSource,
  RefundSpeed,
  RefundStatus,
  ReportKind,
  ReportState,
} from "#shared/payments/refunds.ts";

/** Money that goes back through gateways. */
export const gatewayRefunds = sqliteTable("gateway_refunds", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  key: text("key").notNull(),
  gateway: text("gateway").$type<GatewayKind>().notNull(),
  captureId: integer("capture_id").notNull(),
  creditNoteId: integer("credit_note_id"),
  /** Whose account it debits, but for what Customer Advances held. */
  customerId: integer("customer_id"),
  source: text("source").$type<RefundSource>().notNull(),
  amount: integer("amount").notNull(),
  /** What of it Customer Advances held. */
  advanceAmount: integer("advance_amount").notNull(),
  /** What of the rest the receipt held that has ended since. */
  coveredAmount: integer("covered_amount").notNull().default(0),
  currency: text("currency").notNull(),
  reason: text("reason").$type<RefundReason>(),
  reasonText: text("reason_text"),
  speed: text("speed").$type<RefundSpeed>().notNull().default("normal"),
  status: text("status").$type<RefundStatus>().notNull(),
  gatewayRefundId: text("gateway_refund_id"),
  failureCode: text("failure_code"),
  retryOf: integer("retry_of"),
  attempts: integer("attempts").notNull(),
  nextLookAt: integer("next_look_at"),
  sentAt: integer("sent_at"),
  createdAt: integer("created_at").notNull(),
  entryDate: text("entry_date"),
  settledAt: integer("settled_at"),
  reviewedAt: integer("reviewed_at"),
});

/** What other notes bear of a refund than the one that it names. */
export const creditedRefunds = sqliteTable(
  "credited_refunds",
  {
    refundId: integer("refund_id").notNull(),
    creditNoteId: integer("credit_note_id").notNull(),
    amount: integer("amount").notNull(),
  },
  (table) => [primaryKey({ columns: [table.refundId, table.creditNoteId] })],
);

/** What gateways report of refunds, each report once. */
export const gatewayRefundEvents = sqliteTable("gateway_refund_events", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  gateway: text("gateway").$type<GatewayKind>().notNull(),
  eventId: text("event_id").notNull(),
  type: text("type").notNull(),
  payloadSha256: text("payload_sha256").notNull(),
  refundId: integer("refund_id"),
  gatewayRefundId: text("gateway_refund_id").notNull(),
  gatewayPaymentId: text("gateway_payment_id"),
  amount: integer("amount").notNull(),
  currency: text("currency").notNull(),
  state: text("state").$type<ReportState>().notNull(),
  receivedAt: integer("received_at").notNull(),
  /** Who reported it. */
  gatewayAccountId: integer("gateway_account_id").notNull(),
  kind: text("kind").$type<ReportKind>().notNull(),
  key: text("key"),
  failureCode: text("failure_code"),
  /** When staff ended the review of one that has no refund. */
  dismissedAt: integer("dismissed_at"),
});

export const AUTO_REFUNDS = ["off", "duplicates_and_late"] as const;

/** What goes back by itself: one row. */
export const refundSettings = sqliteTable("refund_settings", {
  id: integer("id").primaryKey(),
  autoRefund: text("auto_refund").$type<(typeof AUTO_REFUNDS)[number]>().notNull(),
  autoSince: integer("auto_since"),
});
