import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RefundState } from "#shared/payments/refunds.ts";
import type { Language } from "#shared/text/language.ts";

export type BookingStatus = "pending" | "confirmed" | "completed" | "cancelled" | "no_show" | "expired";
export type PaymentStatus = "unpaid" | "paid" | "refund_due" | "refunded";

export const bookings = sqliteTable("bookings", {
  id: text("id").primaryKey(),
  operation: text("operation").notNull(),
  bookingNumber: text("booking_number").notNull(),
  customerId: integer("customer_id").notNull(),
  /** Whether staff say that the contact is that customer. */
  customerConfirmed: integer("customer_confirmed").notNull().default(0),
  /** Who booked, as they typed it: `contact.ts` says when it is null. */
  contactName: text("contact_name"),
  contactEmail: text("contact_email"),
  contactEmailLower: text("contact_email_lower"),
  contactPhone: text("contact_phone"),
  contactLast9: text("contact_last9"),
  contactLanguage: text("contact_language").$type<Language>(),
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
  /** The same of the /56 and of the /48 of an IPv6 address; null for IPv4. */
  clientSite: text("client_site"),
  clientNetwork: text("client_network"),
  /** The random id in the token of the booking page's visitor. */
  visitor: text("visitor"),
  /** 1 where its visitor solved the puzzle. */
  solved: integer("solved").notNull().default(0),
  /** When staff last changed it without a notification: equal to `updated_at` until the next change. */
  unnotifiedAt: integer("unnotified_at"),
  /** Who takes the money that is not paid yet; null when no payment is needed. */
  settledBy: text("settled_by").$type<"online" | "staff">(),
  /** Of a free lesson whose e-mail address is to be confirmed: what the link of that mail shows. */
  emailProof: text("email_proof"),
  /** What went back through gateways. */
  refundedAmount: integer("refunded_amount").notNull().default(0),
  refundStatus: text("refund_status").$type<RefundState>().notNull().default("none"),
  /** How often `/pay` renewed the hold. */
  renewals: integer("renewals").notNull().default(0),
  /** Opens the booking's page. */
  publicToken: text("public_token").notNull(),
  /** How often its time, instructor or status changed: a trigger counts. */
  revision: integer("revision").notNull().default(0),
  confirmedAt: integer("confirmed_at"),
  needsReview: integer("needs_review").notNull().default(0),
  /** 1 if its only cause is money: too much came, or its gateway gave money back by itself. */
  moneyReview: integer("money_review").notNull().default(0),
  cancelledAt: integer("cancelled_at"),
  paidAt: integer("paid_at"),
  givenBackAt: integer("given_back_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
