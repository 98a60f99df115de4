import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Language } from "#shared/text/language.ts";

export type Channel = "email" | "sms" | "chatapp";
export type State = "due" | "sent" | "skipped" | "capped" | "failed";

/** One row. */
export const notificationSettings = sqliteTable("notification_settings", {
  id: integer("id").primaryKey(),
  fromName: text("from_name"),
  languages: text("languages").notNull(),
  defaultLanguage: text("default_language").$type<Language>().notNull(),
  companyRecipients: text("company_recipients").notNull(),
  quietFrom: integer("quiet_from"),
  quietTo: integer("quiet_to"),
  dailyCap: integer("daily_cap").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** Every rule, with the channels on which it is on. */
export const notificationRules = sqliteTable("notification_rules", {
  rule: text("rule").primaryKey(),
  position: integer("position").notNull(),
  event: text("event"),
  audience: text("audience").notNull(),
  email: integer("email").notNull(),
  sms: integer("sms").notNull(),
  chatapp: integer("chatapp").notNull(),
  hours: integer("hours"),
  days: text("days"),
  isHourly: integer("is_hourly").notNull(),
  startsOn: integer("starts_on").notNull(),
});

export const notifications = sqliteTable("notifications", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  rule: text("rule").notNull(),
  channel: text("channel").$type<Channel>().notNull(),
  recipient: text("recipient").notNull(),
  sequence: integer("sequence"),
  resource: text("resource").notNull(),
  recordId: text("record_id").notNull(),
  occasion: text("occasion").notNull(),
  state: text("state").$type<State>().notNull(),
  reason: text("reason"),
  messageId: text("message_id"),
  count: integer("count").notNull(),
  dueAt: integer("due_at").notNull(),
  endedAt: integer("ended_at"),
  /** Where it goes to an address that no record holds any more. */
  address: text("address"),
});

/** A company's own texts. */
export const notificationTemplates = sqliteTable(
  "notification_templates",
  {
    rule: text("rule").notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    language: text("language").$type<Language>().notNull(),
    content: text("content").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.rule, table.channel, table.language] })],
);
