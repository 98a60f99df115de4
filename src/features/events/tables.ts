import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** One row. */
export const eventSettings = sqliteTable("event_settings", {
  id: integer("id").primaryKey(),
  eventDays: integer("event_days").notNull(),
});
