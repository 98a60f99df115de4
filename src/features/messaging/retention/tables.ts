import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row. */
export const messagingSettings = sqliteTable("messaging_settings", {
  id: integer("id").primaryKey(),
  contentDays: integer("content_days").notNull(),
  messageDays: integer("message_days").notNull(),
  /** Words that opt out, beside those of the country: a JSON list. */
  optoutWords: text("optout_words").notNull().default("[]"),
});
