import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const chatappWindows = sqliteTable("chatapp_windows", {
  phone: text("phone").primaryKey(),
  lastInboundAt: integer("last_inbound_at").notNull(),
  person: text("person"),
});

export const contactOptouts = sqliteTable("contact_optouts", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  channel: text("channel").$type<"sms" | "chatapp">().notNull(),
  address: text("address").notNull(),
  match: text("match").notNull(),
  /** The whole number: blank where no country's rules fit. */
  e164: text("e164").notNull(),
  source: text("source").$type<"manual" | "inbound">().notNull(),
  createdAt: integer("created_at").notNull(),
  /** Its person is erased: it has hashes in the place of its number, or will have. */
  isErased: integer("is_erased").notNull().default(0),
});

export const emailSuppressions = sqliteTable("email_suppressions", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  email: text("email").notNull(),
  /** What is not sent to it: anything, or no marketing. */
  scope: text("scope").$type<"all" | "marketing">().notNull(),
  reason: text("reason").$type<"hard_bounce" | "complaint" | "manual" | "unsubscribe">().notNull(),
  expiresAt: integer("expires_at"),
  createdAt: integer("created_at").notNull(),
  isErased: integer("is_erased").notNull().default(0),
});
