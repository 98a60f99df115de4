import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type Category = "proposed" | "in_progress" | "resolved" | "completed" | "removed";

export const workItemStatuses = sqliteTable("work_item_statuses", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  slug: text("slug").notNull(),
  name: text("name").notNull(),
  category: text("category").$type<Category>().notNull(),
  position: integer("position").notNull(),
  isDefault: integer("is_default").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
