import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type BookingStatus = "pending" | "confirmed" | "completed" | "cancelled" | "no_show" | "expired";
export type PaymentStatus = "unpaid" | "paid" | "refund_due" | "refunded";

export const bookings = sqliteTable("bookings", {
  id: text("id").primaryKey(),
  operation: text("operation").notNull(),
  bookingNumber: text("booking_number").notNull(),
  customerId: integer("customer_id").notNull(),
  instructorId: integer("instructor_id").notNull(),
  productId: integer("product_id").notNull(),
  serviceLocationId: integer("service_location_id"),
  bookingPackageId: integer("booking_package_id"),
  startAt: integer("start_at").notNull(),
  endAt: integer("end_at").notNull(),
  bookingDate: text("booking_date").notNull(),
  startTime: text("start_time").notNull(),
  endTime: text("end_time").notNull(),
  timezone: text("timezone").notNull(),
  status: text("status").$type<BookingStatus>().notNull(),
  paymentStatus: text("payment_status").$type<PaymentStatus>().notNull(),
  totalAmount: integer("total_amount").notNull(),
  currency: text("currency").notNull(),
  holdExpiresAt: integer("hold_expires_at"),
  checkedAt: integer("checked_at").notNull(),
  pickupAddress: text("pickup_address"),
  studentNotes: text("student_notes"),
  cancelReason: text("cancel_reason"),
  /** A hash of the company and the address group of the browser that booked; null where a server did. */
  client: text("client"),
  /** The random id in the token of the booking page's visitor. */
  visitor: text("visitor"),
  /** When staff last changed it without telling the learner: `updated_at`, where nobody has changed it since. */
  untoldAt: integer("untold_at"),
  /** Who takes the money of what is not paid yet; null where nobody has to. */
  settledBy: text("settled_by").$type<"online" | "staff">(),
  /** How often `/pay` renewed the hold. */
  renewals: integer("renewals").notNull().default(0),
  /** Opens the booking's page; null until housekeeping gave an old booking its own. */
  publicToken: text("public_token"),
  /** How often its time, instructor or status changed: a trigger counts. */
  revision: integer("revision").notNull().default(0),
  confirmedAt: integer("confirmed_at"),
  needsReview: integer("needs_review").notNull().default(0),
  cancelledAt: integer("cancelled_at"),
  paidAt: integer("paid_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
