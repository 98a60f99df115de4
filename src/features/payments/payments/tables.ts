import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const payments = recordTable("payments", {
  paymentNumber: text("payment_number").notNull(),
  invoiceId: integer("invoice_id").notNull(),
  customerId: integer("customer_id").notNull(),
  amount: integer("amount").notNull(),
  tdsAmount: integer("tds_amount").notNull().default(0),
  tdsSection: text("tds_section"),
  currency: text("currency").notNull(),
  paymentDate: text("payment_date").notNull(),
  paymentModeId: integer("payment_mode_id").notNull(),
  referenceNumber: text("reference_number"),
  notes: text("notes"),
  gateway: text("gateway"),
  gatewayPaymentId: text("gateway_payment_id"),
  isAdvance: integer("is_advance").notNull().default(0),
  source: text("source").$type<"api" | "storefront" | "booking" | "hosted_page">().notNull().default("api"),
  deletedAt: integer("deleted_at"),
  /** The operation that refunded it or voided its invoice. */
  removedBy: text("removed_by"),
});
