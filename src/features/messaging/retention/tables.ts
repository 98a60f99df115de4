import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** One row. */
export const messagingSettings = sqliteTable("messaging_settings", {
  id: integer("id").primaryKey(),
  contentDays: integer("content_days").notNull(),
  messageDays: integer("message_days").notNull(),
});
