import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const locations = sqliteTable("locations", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  type: text("type").notNull(),
  city: text("city"),
  state: text("state"),
  postcode: text("postcode"),
  latitude: real("latitude"),
  longitude: real("longitude"),
  operatingHours: text("operating_hours"),
  isActive: integer("is_active").notNull().default(1),
  deletedAt: integer("deleted_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const bookingSettings = sqliteTable("booking_settings", {
  id: integer("id").primaryKey(),
  timezone: text("timezone"),
  slotLengthMinutes: integer("slot_length_minutes").notNull(),
  slotStepMinutes: integer("slot_step_minutes"),
  bufferMinutes: integer("buffer_minutes").notNull(),
  minNoticeMinutes: integer("min_notice_minutes").notNull(),
  advanceDays: integer("advance_days").notNull(),
  holdMinutes: integer("hold_minutes").notNull(),
  pendingHours: integer("pending_hours").notNull(),
  cancelWindowHours: integer("cancel_window_hours").notNull(),
  defaultRadiusKm: real("default_radius_km").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const instructorFields = sqliteTable("instructor_fields", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  key: text("key").notNull(),
  label: text("label").notNull(),
  type: text("type").$type<"text" | "number" | "boolean" | "select" | "multiselect" | "date">().notNull(),
  options: text("options"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const instructors = sqliteTable("instructors", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  gender: text("gender"),
  nationality: text("nationality"),
  languages: text("languages").notNull(),
  transmission: text("transmission").$type<"auto" | "manual" | "both">().notNull(),
  carMake: text("car_make"),
  carModel: text("car_model"),
  bio: text("bio"),
  photoUrl: text("photo_url"),
  serviceAreas: text("service_areas").notNull(),
  locationIds: text("location_ids").notNull(),
  customFields: text("custom_fields").notNull(),
  schedule: text("schedule").notNull(),
  isActive: integer("is_active").notNull(),
  deletedAt: integer("deleted_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const instructorOverrides = sqliteTable("instructor_overrides", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  instructorId: integer("instructor_id").notNull(),
  date: text("date").notNull(),
  isAvailable: integer("is_available").notNull(),
  startMinute: integer("start_minute"),
  endMinute: integer("end_minute"),
  note: text("note"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const bookingPackages = sqliteTable("booking_packages", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  customerId: integer("customer_id").notNull(),
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
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

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
  /** A hash of the company and the address group of a page's visitor. */
  client: text("client"),
  /** Who takes the money of what is not paid yet; null where nobody has to. */
  settledBy: text("settled_by").$type<"online" | "staff">(),
  /** How often `/pay` held the slot anew. */
  renewals: integer("renewals").notNull().default(0),
  needsReview: integer("needs_review").notNull().default(0),
  cancelledAt: integer("cancelled_at"),
  paidAt: integer("paid_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
