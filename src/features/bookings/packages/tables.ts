import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const bookingPackages = recordTable("booking_packages", {
  customerId: integer("customer_id").notNull(),
  /** Whether its buyer is known to be that customer: else it is the buyer's, by what they typed. */
  customerConfirmed: integer("customer_confirmed").notNull().default(1),
  contactEmailLower: text("contact_email_lower"),
  contactLast9: text("contact_last9"),
  productId: integer("product_id").notNull(),
  name: text("name").notNull(),
  sessionsTotal: integer("sessions_total").notNull(),
  sessionsUsed: integer("sessions_used").notNull().default(0),
  expiresAt: integer("expires_at"),
  status: text("status").$type<"active" | "cancelled">().notNull(),
  /** What it was bought with: a line of an order, counted from 1, or the booking of its first lesson. */
  orderId: integer("order_id"),
  line: integer("line"),
  bookingId: text("booking_id"),
});
