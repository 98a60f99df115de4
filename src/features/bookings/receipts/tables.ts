import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { GatewayKind } from "#shared/payments/gateways.ts";

/** Receipts of money for a booking without an invoice; amounts in minor units. */
export const lessonReceipts = sqliteTable("lesson_receipts", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  receiptNumber: text("receipt_number").notNull(),
  bookingId: text("booking_id").notNull(),
  customerId: integer("customer_id").notNull(),
  customer: text("customer").notNull(),
  seller: text("seller").notNull(),
  receiptDate: text("receipt_date").notNull(),
  currency: text("currency").notNull(),
  itemName: text("item_name").notNull(),
  hsnSacCode: text("hsn_sac_code"),
  /** 1 where the company charges tax: it is a receipt voucher. */
  isVoucher: integer("is_voucher").notNull(),
  placeOfSupplyCode: text("place_of_supply_code"),
  placeOfSupplyName: text("place_of_supply_name"),
  taxRate: integer("tax_rate").notNull(),
  taxableAmount: integer("taxable_amount").notNull(),
  cgstAmount: integer("cgst_amount").notNull(),
  sgstAmount: integer("sgst_amount").notNull(),
  igstAmount: integer("igst_amount").notNull(),
  amount: integer("amount").notNull(),
  gateway: text("gateway").$type<GatewayKind>(),
  gatewayPaymentId: text("gateway_payment_id"),
  paymentModeId: integer("payment_mode_id"),
  /** 1 where the money waited in Customer Advances. */
  isAdvance: integer("is_advance").notNull().default(0),
  refundNumber: text("refund_number"),
  refundDate: text("refund_date"),
  /** The call that ended it: its money was paid back, or an invoice took its place. */
  endedBy: text("ended_by"),
  createdAt: integer("created_at").notNull(),
});
