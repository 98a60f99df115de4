import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const leadSources = sqliteTable("lead_sources", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  slug: text("slug").notNull(),
  name: text("name").notNull(),
  isActive: integer("is_active").notNull().default(1),
});
