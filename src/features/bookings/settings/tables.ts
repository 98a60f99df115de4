import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
  /** 1 where a free lesson waits until its e-mail address is confirmed. */
  confirmFree: integer("confirm_free").notNull().default(0),
  /** Whether a payment issues an invoice; null where the company's registration decides. */
  issueInvoices: integer("issue_invoices"),
  /** Whether a visitor who cancels in time gets back what was paid through a gateway. */
  refundOnCancel: text("refund_on_cancel").$type<"off" | "full">().notNull().default("off"),
  turnstileMode: text("turnstile_mode").$type<"off" | "risky" | "always">().notNull().default("off"),
  turnstileSiteKey: text("turnstile_site_key"),
  /** Encrypted. */
  turnstileSecret: text("turnstile_secret"),
  /** Its last four characters. */
  turnstileHint: text("turnstile_hint"),
  updatedAt: integer("updated_at").notNull(),
});
