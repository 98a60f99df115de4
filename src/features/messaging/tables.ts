import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type Channel = "sms" | "chatapp" | "email";
export type Status = "queued" | "submitted" | "sent" | "delivered" | "read" | "failed" | "rejected";

export const messagingProviders = sqliteTable("messaging_providers", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  channel: text("channel").$type<Channel>().notNull(),
  kind: text("kind").notNull(),
  /** As a read shows it: of a secret only its last four characters. */
  config: text("config").notNull(),
  sealedConfig: text("sealed_config").notNull(),
  sealedToken: text("sealed_token").notNull(),
  tokenHash: text("token_hash").notNull(),
  previousTokenHash: text("previous_token_hash"),
  previousTokenExpiresAt: integer("previous_token_expires_at"),
  isActive: integer("is_active").notNull(),
  isDefault: integer("is_default").notNull(),
  lastError: text("last_error"),
  pausedAt: integer("paused_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const messagingSettings = sqliteTable("messaging_settings", {
  id: integer("id").primaryKey(),
  contentDays: integer("content_days").notNull(),
  messageDays: integer("message_days").notNull(),
});

export const messages = sqliteTable("messages", {
  id: text("id").primaryKey(),
  channel: text("channel").$type<Channel>().notNull(),
  status: text("status").$type<Status>().notNull(),
  /** Null: the platform's mailer. */
  providerId: integer("provider_id"),
  providerMessageId: text("provider_message_id"),
  /** What a read shows besides. */
  details: text("details").notNull(),
  /** What is sent; forgotten before the rest. */
  content: text("content"),
  deliveredAt: integer("delivered_at"),
  readAt: integer("read_at"),
  failedAt: integer("failed_at"),
  error: text("error"),
  createdAt: integer("created_at").notNull(),
});

export const messageRecipients = sqliteTable("message_recipients", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  messageId: text("message_id").notNull(),
  ordinal: integer("ordinal").notNull(),
  address: text("address").notNull(),
  name: text("name"),
  status: text("status").$type<Status>().notNull(),
  provider: text("provider").notNull(),
  providerMessageId: text("provider_message_id"),
  dispatchState: text("dispatch_state").notNull(),
  attempts: integer("attempts").notNull().default(0),
  claim: text("claim"),
  claimUntil: integer("claim_until").notNull(),
  inDoubt: integer("in_doubt").notNull().default(0),
  deliveredAt: integer("delivered_at"),
  readAt: integer("read_at"),
  failedAt: integer("failed_at"),
  error: text("error"),
});

export const unmatchedEvents = sqliteTable(
  "provider_events_unmatched",
  {
    provider: text("provider").notNull(),
    providerMessageId: text("provider_message_id").notNull(),
    status: text("status").notNull(),
    at: integer("at").notNull(),
    error: text("error"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerMessageId, table.status] })],
);

export const chatappWindows = sqliteTable("chatapp_windows", {
  phone: text("phone").primaryKey(),
  lastInboundAt: integer("last_inbound_at").notNull(),
});

export const contactOptouts = sqliteTable("contact_optouts", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  channel: text("channel").$type<"sms" | "chatapp">().notNull(),
  address: text("address").notNull(),
  match: text("match").notNull(),
  /** Null until housekeeping has told, blank where no rule knows the number. */
  e164: text("e164"),
  source: text("source").$type<"manual" | "inbound">().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const emailSuppressions = sqliteTable("email_suppressions", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  email: text("email").notNull(),
  reason: text("reason").$type<"hard_bounce" | "complaint" | "manual" | "unsubscribe">().notNull(),
  expiresAt: integer("expires_at"),
  createdAt: integer("created_at").notNull(),
});

export const smsTemplates = sqliteTable("sms_templates", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  templateId: text("template_id").notNull(),
  text: text("text").notNull(),
  senderId: text("sender_id"),
  peId: text("pe_id"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
