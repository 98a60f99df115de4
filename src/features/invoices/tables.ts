import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";
import type { DocumentType } from "#shared/gst/document-types.ts";
import type { GstTreatment } from "#shared/gst/treatments.ts";

export const invoices = recordTable("invoices", {
  invoiceNumber: text("invoice_number").notNull(),
  status: text("status").$type<"draft" | "sent" | "voided">().notNull(),
  currency: text("currency").notNull(),
  customerId: integer("customer_id").notNull(),
  customer: text("customer").notNull(),
  seller: text("seller").notNull(),
  invoiceDate: text("invoice_date").notNull(),
  dueDate: text("due_date").notNull(),
  financialYear: text("financial_year").notNull(),
  placeOfSupplyCode: text("place_of_supply_code"),
  placeOfSupplyName: text("place_of_supply_name"),
  /** Null outside India. */
  supplyType: text("supply_type").$type<"intra" | "inter" | "export">(),
  documentType: text("document_type").$type<DocumentType>().notNull(),
  subTotal: integer("sub_total").notNull(),
  discountTotal: integer("discount_total").notNull(),
  taxableTotal: integer("taxable_total").notNull(),
  cgstTotal: integer("cgst_total").notNull(),
  sgstTotal: integer("sgst_total").notNull(),
  igstTotal: integer("igst_total").notNull(),
  taxTotal: integer("tax_total").notNull(),
  roundOff: integer("round_off").notNull(),
  totalAmount: integer("total_amount").notNull(),
  amountPaid: integer("amount_paid").notNull().default(0),
  tdsAmount: integer("tds_amount").notNull().default(0),
  /** What credit notes took off the amount due, and how much of the taxable value its own notes credited. */
  amountCredited: integer("amount_credited").notNull().default(0),
  taxableCredited: integer("taxable_credited").notNull().default(0),
  /** What its gateways gave back by themselves of its payments, and no credit note says. */
  refundedWithoutCreditNote: integer("refunded_without_credit_note").notNull().default(0),
  amountDue: integer("amount_due").notNull(),
  dueRaises: integer("due_raises").notNull().default(0),
  // What it is made of stands in the migration.
  paymentStatus: text("payment_status").$type<"unpaid" | "partial" | "paid">().generatedAlwaysAs(sql``),
  creditStatus: text("credit_status").$type<"none" | "partial" | "full">().generatedAlwaysAs(sql``),
  source: text("source").$type<"api" | "storefront" | "booking">().notNull().default("api"),
  salesOrderId: integer("sales_order_id"),
  referenceNumber: text("reference_number"),
  notes: text("notes"),
  terms: text("terms"),
  metadata: text("metadata").notNull().default("{}"),
  publicToken: text("public_token").notNull(),
  sentAt: integer("sent_at"),
  voidedAt: integer("voided_at"),
  voidedBy: text("voided_by"),
  /** The day on which the clock found it overdue; null once it is paid or voided. */
  overdueSince: text("overdue_since"),
});

export const invoiceItems = sqliteTable("invoice_items", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  invoiceId: integer("invoice_id").notNull(),
  position: integer("position").notNull(),
  productId: integer("product_id"),
  itemName: text("item_name").notNull(),
  description: text("description"),
  hsnSacCode: text("hsn_sac_code"),
  quantity: integer("quantity").notNull(),
  unit: text("unit").notNull(),
  unitPrice: integer("unit_price").notNull(),
  discountAmount: integer("discount_amount").notNull(),
  taxableValue: integer("taxable_value").notNull(),
  taxRate: integer("tax_rate").notNull(),
  gstTreatment: text("gst_treatment").$type<GstTreatment>().notNull(),
  cgstAmount: integer("cgst_amount").notNull(),
  sgstAmount: integer("sgst_amount").notNull(),
  igstAmount: integer("igst_amount").notNull(),
});
