import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { GatewayKind } from "#shared/payments/gateways.ts";

export const CAPTURE_OUTCOMES = [
  "paid",
  "duplicate_payment",
  "mismatch",
  "unknown_intent",
  "quarantined",
] as const;
export type CaptureOutcome = (typeof CAPTURE_OUTCOMES)[number];
export const CAPTURE_STATES = ["advance", "invoiced", "refunded", "settled"] as const;

export const gatewayCaptures = sqliteTable("gateway_captures", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  gateway: text("gateway").$type<GatewayKind>().notNull(),
  gatewayPaymentId: text("gateway_payment_id").notNull(),
  intentId: integer("intent_id"),
  gatewayAccountId: integer("gateway_account_id").notNull(),
  customerId: integer("customer_id"),
  outcome: text("outcome").$type<CaptureOutcome>().notNull(),
  amount: integer("amount").notNull(),
  currency: text("currency").notNull(),
  fee: integer("fee"),
  method: text("method"),
  invoicedAmount: integer("invoiced_amount").notNull().default(0),
  settledAmount: integer("settled_amount").notNull().default(0),
  /** What refunds take out of Customer Advances, from the moment that they are asked for. */
  withdrawnAmount: integer("withdrawn_amount").notNull().default(0),
  refundedAmount: integer("refunded_amount").notNull().default(0),
  /** What of it stands for money of its siblings that a gateway gave back; below 0, what of theirs stands for this. */
  lentAmount: integer("lent_amount").notNull().default(0),
  advanceAmount: integer("advance_amount").notNull().generatedAlwaysAs(sql``),
  state: text("state").$type<(typeof CAPTURE_STATES)[number]>().notNull().generatedAlwaysAs(sql``),
  settlementId: integer("settlement_id"),
  receivedAt: integer("received_at").notNull(),
});

export const advances = sqliteTable("advances", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  captureId: integer("capture_id").notNull(),
  kind: text("kind").$type<"received" | "fee" | "settled" | "reopened" | "covered">().notNull(),
  amount: integer("amount").notNull(),
  entryDate: text("entry_date").notNull(),
  debitAccountId: integer("debit_account_id").notNull(),
  creditAccountId: integer("credit_account_id").notNull(),
  reference: text("reference"),
  refundId: integer("refund_id"),
  createdAt: integer("created_at").notNull(),
});

/** The refunds that a payout was lessened by. */
export const settledRefunds = sqliteTable("settled_refunds", {
  refundId: integer("refund_id").primaryKey(),
  settlementId: integer("settlement_id").notNull(),
});

/** What a gateway paid out to a bank account. */
export const settlements = sqliteTable("settlements", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  gateway: text("gateway").$type<GatewayKind>().notNull(),
  payoutReference: text("payout_reference").notNull(),
  settledOn: text("settled_on").notNull(),
  netAmount: integer("net_amount").notNull(),
  feeAmount: integer("fee_amount").notNull(),
  feeTaxAmount: integer("fee_tax_amount").notNull(),
  createdAt: integer("created_at").notNull(),
});
