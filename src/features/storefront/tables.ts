import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RefundState } from "#shared/payments/refunds.ts";

/** Why staff must review an order. */
export const REVIEW_CODES = [
  "amount_mismatch",
  "tax_amount_implausible",
  "customer_gone",
  "effect_refused",
  "oversold",
  "refunded_at_gateway",
  "overcaptured",
  "packages_missing",
  "package_credited",
] as const;
export type ReviewCode = (typeof REVIEW_CODES)[number];

export const salesOrders = sqliteTable("sales_orders", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  orderNumber: text("order_number").notNull(),
  status: text("status").$type<"draft" | "invoiced" | "cancelled">().notNull().default("draft"),
  paymentStatus: text("payment_status").$type<"unpaid" | "paid" | "review">().notNull().default("unpaid"),
  /** Money came that is owed back: a second payment of the same order. */
  needsRefund: integer("needs_refund").notNull().default(0),
  /** A package of it could not be granted. */
  packagesMissing: integer("packages_missing").notNull().default(0),
  currency: text("currency").notNull(),
  customerId: integer("customer_id").notNull(),
  /** The shopper as the shop sent it, as JSON. */
  customer: text("customer").notNull(),
  /** The lines as priced at checkout, as JSON. */
  items: text("items").notNull(),
  taxAmount: integer("tax_amount").notNull(),
  shippingAmount: integer("shipping_amount").notNull(),
  totalAmount: integer("total_amount").notNull(),
  sourceWebsite: text("source_website").notNull(),
  returnUrl: text("return_url").notNull(),
  cancelUrl: text("cancel_url").notNull(),
  notes: text("notes"),
  metadata: text("metadata").notNull().default("{}"),
  invoiceId: integer("invoice_id"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  paidAt: integer("paid_at"),
  /** Null when no review is needed. */
  reviewCode: text("review_code").$type<ReviewCode>(),
  /** When staff last reviewed it. */
  reviewedAt: integer("reviewed_at"),
  /** The reference of a refund that was made outside this service. */
  outsideReference: text("outside_reference"),
  /** Its sale took stock below zero. */
  oversold: integer("oversold").notNull().default(0),
  /** What came above the price, in minor units. */
  overcapturedAmount: integer("overcaptured_amount").notNull().default(0),
  /** What of the money that came for it went back through gateways. */
  refundStatus: text("refund_status").$type<RefundState>().notNull().default("none"),
  refundedAmount: integer("refunded_amount").notNull().default(0),
});
