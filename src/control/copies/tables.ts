import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** In each company's own database: its row of the control database, without what opens it. */
export const companyCopy = sqliteTable("company_copy", {
  id: integer("id").primaryKey(),
  companyId: integer("company_id").notNull(),
  slug: text("slug").notNull(),
  name: text("name").notNull(),
  country: text("country").notNull(),
  currency: text("currency").notNull(),
  timezone: text("timezone").notNull(),
  status: text("status").$type<"active" | "suspended">().notNull(),
  rateLimitCeiling: integer("rate_limit_ceiling").notNull(),
  messagingRateCeiling: integer("messaging_rate_ceiling").notNull(),
  messagingCapCeiling: integer("messaging_cap_ceiling").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** In each company's own database: the rows of its keys, revoked ones too. */
export const keyCopies = sqliteTable("key_copies", {
  clientId: text("client_id").primaryKey(),
  type: text("type").$type<"secret" | "publishable">().notNull(),
  name: text("name").notNull(),
  scopes: text("scopes").notNull(),
  allowedOrigins: text("allowed_origins").notNull(),
  secretHash: text("secret_hash"),
  secretLastFour: text("secret_last_four"),
  previousSecretHash: text("previous_secret_hash"),
  previousSecretExpiresAt: integer("previous_secret_expires_at"),
  rateLimitPerMinute: integer("rate_limit_per_minute").notNull(),
  messagingRatePerMinute: integer("messaging_rate_per_minute").notNull(),
  messagingDailyCap: integer("messaging_daily_cap").notNull(),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
