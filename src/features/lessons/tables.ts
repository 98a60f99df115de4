import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What was paid for lessons, before tax: unearned until they are given, lapse or are paid back. */
export const lessonSales = sqliteTable("lesson_sales", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  invoiceId: integer("invoice_id"),
  /** Of the invoice. */
  line: integer("line"),
  receiptId: integer("receipt_id"),
  /** The booking that was paid; null for a package that was bought with an order. */
  bookingId: text("booking_id"),
  packageId: integer("package_id"),
  amount: integer("amount").notNull(),
  earnedAmount: integer("earned_amount").notNull().default(0),
  /** What credit notes gave back before it was earned. */
  creditedAmount: integer("credited_amount").notNull().default(0),
  /** The call that ended its document. */
  endedBy: text("ended_by"),
  createdAt: integer("created_at").notNull(),
});

/** What was earned of a sale. */
export const lessonEarnings = sqliteTable("lesson_earnings", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  saleId: integer("sale_id").notNull(),
  /** The lesson that was given; null where the package lapsed. */
  bookingId: text("booking_id"),
  amount: integer("amount").notNull(),
  entryDate: text("entry_date").notNull(),
  /** The call that took it back. */
  removedBy: text("removed_by"),
  createdAt: integer("created_at").notNull(),
});
