import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const projects = sqliteTable("projects", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  code: text("code").notNull(),
  description: text("description"),
  status: text("status").$type<"active" | "archived">().notNull().default("active"),
  lastNumber: integer("last_number").notNull().default(0),
  openItems: integer("open_items").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
