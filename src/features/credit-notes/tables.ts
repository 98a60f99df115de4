import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";
import type { CreditReason } from "#shared/payments/credit-reasons.ts";

/** The credit notes of invoices. */
export const creditNotes = recordTable("credit_notes", {
  creditNoteNumber: text("credit_note_number").notNull(),
  status: text("status").$type<"draft" | "issued" | "voided">().notNull().default("draft"),
  invoiceId: integer("invoice_id").notNull(),
  customerId: integer("customer_id").notNull(),
  noteDate: text("note_date").notNull(),
  financialYear: text("financial_year").notNull(),
  reason: text("reason").$type<CreditReason>().notNull(),
  reasonText: text("reason_text"),
  /** 0: it gives back value only. */
  withTax: integer("with_tax").notNull(),
  /** 1: only goods came back, which were free or whose price was credited before. */
  goodsOnly: integer("goods_only").notNull(),
  forRefund: integer("for_refund").notNull(),
  taxableTotal: integer("taxable_total").notNull().default(0),
  cgstTotal: integer("cgst_total").notNull().default(0),
  sgstTotal: integer("sgst_total").notNull().default(0),
  igstTotal: integer("igst_total").notNull().default(0),
  taxTotal: integer("tax_total").notNull().default(0),
  roundOff: integer("round_off").notNull().default(0),
  totalAmount: integer("total_amount").notNull().default(0),
  appliedAmount: integer("applied_amount").notNull().default(0),
  paidOutAmount: integer("paid_out_amount").notNull().default(0),
  gatewayRefundedAmount: integer("gateway_refunded_amount").notNull().default(0),
  // What it is made of stands in the migration.
  unappliedAmount: integer("unapplied_amount").generatedAlwaysAs(sql``),
  metadata: text("metadata").notNull().default("{}"),
  publicToken: text("public_token").notNull(),
  voidedAt: integer("voided_at"),
});

export const creditNoteItems = sqliteTable("credit_note_items", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  creditNoteId: integer("credit_note_id").notNull(),
  position: integer("position").notNull(),
  invoiceItemId: integer("invoice_item_id").notNull(),
  quantity: integer("quantity"),
  taxableValue: integer("taxable_value").notNull(),
  /** What of it Unearned Lesson Income still held. */
  unearnedAmount: integer("unearned_amount").notNull(),
  cgstAmount: integer("cgst_amount").notNull(),
  sgstAmount: integer("sgst_amount").notNull(),
  igstAmount: integer("igst_amount").notNull(),
});

/** What is credited of the lines of invoices; triggers keep it. */
export const creditedLines = sqliteTable("credited_lines", {
  invoiceItemId: integer("invoice_item_id").primaryKey(),
  quantity: integer("quantity").notNull(),
  taxableValue: integer("taxable_value").notNull(),
  cgstAmount: integer("cgst_amount").notNull(),
  sgstAmount: integer("sgst_amount").notNull(),
  igstAmount: integer("igst_amount").notNull(),
  creditedQuantity: integer("credited_quantity").notNull().default(0),
  creditedTaxable: integer("credited_taxable").notNull().default(0),
  untaxedTaxable: integer("untaxed_taxable").notNull().default(0),
  creditedCgst: integer("credited_cgst").notNull().default(0),
  creditedSgst: integer("credited_sgst").notNull().default(0),
  creditedIgst: integer("credited_igst").notNull().default(0),
});

/** What of a note took off the amount due of an invoice. */
export const creditApplications = sqliteTable("credit_applications", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  creditNoteId: integer("credit_note_id").notNull(),
  invoiceId: integer("invoice_id").notNull(),
  amount: integer("amount").notNull(),
  removedAt: integer("removed_at"),
  createdAt: integer("created_at").notNull(),
});

/** Money of notes that was given back by hand. */
export const creditPayouts = sqliteTable("credit_payouts", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  creditNoteId: integer("credit_note_id").notNull(),
  amount: integer("amount").notNull(),
  payoutDate: text("payout_date").notNull(),
  paymentModeId: integer("payment_mode_id").notNull(),
  referenceNumber: text("reference_number"),
  createdAt: integer("created_at").notNull(),
});
