import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type Channel = "sms" | "chatapp" | "email";
export type Status = "queued" | "submitted" | "sent" | "delivered" | "read" | "failed" | "rejected";

export const messages = sqliteTable("messages", {
  id: text("id").primaryKey(),
  channel: text("channel").$type<Channel>().notNull(),
  status: text("status").$type<Status>().notNull(),
  /** Null: the platform's mailer. */
  providerId: integer("provider_id"),
  providerMessageId: text("provider_message_id"),
  /** What reads show besides, as JSON. */
  details: text("details").notNull(),
  /** What is sent, as JSON; purged before the rest of the row. */
  content: text("content"),
  deliveredAt: integer("delivered_at"),
  readAt: integer("read_at"),
  failedAt: integer("failed_at"),
  error: text("error"),
  createdAt: integer("created_at").notNull(),
  /** The message that this one was sent again of. */
  resentFrom: text("resent_from"),
  /** The rule of notifications that it was sent by; null for what a call sent. */
  rule: text("rule"),
  /** When a scheduled one goes out. */
  sendAt: integer("send_at"),
  /** Whether it still waits for that. */
  isScheduled: integer("is_scheduled").notNull().default(0),
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
  dispatchState: text("dispatch_state").$type<"pending" | "dispatching" | "dispatched" | "dead">().notNull(),
  attempts: integer("attempts").notNull().default(0),
  lease: text("lease"),
  leasedUntil: integer("leased_until").notNull(),
  inDoubt: integer("in_doubt").notNull().default(0),
  requeues: integer("requeues").notNull().default(0),
  requeuedAt: integer("requeued_at"),
  deliveredAt: integer("delivered_at"),
  readAt: integer("read_at"),
  failedAt: integer("failed_at"),
  error: text("error"),
});

export const unmatchedReceipts = sqliteTable(
  "provider_events_unmatched",
  {
    provider: text("provider").notNull(),
    providerMessageId: text("provider_message_id").notNull(),
    status: text("status").$type<Status>().notNull(),
    at: integer("at").notNull(),
    error: text("error"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerMessageId, table.status] })],
);
